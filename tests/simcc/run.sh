#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests of simcc: tests/simcc/run.sh BUILD_DIR. The last line is `N passed, N failed, N skipped`.
# The sources in accept/ compile with nvcc 13.0 and the cases of refuse.cu do not (checked by hand, and here
# when NVCC=nvcc is given); each accepted program also checks itself when it runs.
set -u
build=$(cd "${1:?usage: run.sh BUILD_DIR}" && pwd)
cd "$(dirname "$0")" || exit 1
simcc=$build/bin/simcc
here=$PWD
work=$(mktemp -d "${TMPDIR:-/tmp}/simcc-test.XXXXXX")
export TMPDIR=$work/tmp
mkdir "$TMPDIR"
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0
compilers="g++"
command -v clang++ >/dev/null && compilers="g++ clang++"

ok() { echo "ok $1"; passed=$((passed + 1)); }
fail() { echo "FAIL $1: $2"; failed=$((failed + 1)); }
skip() { echo "skip $1: $2"; skipped=$((skipped + 1)); }
# check NAME WHY COMMAND...: the command must succeed
check() {
    local name=$1 why=$2
    shift 2
    if "$@" >"$work/out" 2>&1; then ok "$name"; else fail "$name" "$why: $(head -3 "$work/out")"; fi
}
# says NAME CODE TEXT COMMAND...: exit code and a part of what is printed
says() {
    local name=$1 code=$2 text=$3 got
    shift 3
    "$@" >"$work/out" 2>&1
    got=$?
    if [ $got -ne "$code" ]; then fail "$name" "exit $got, wanted $code: $(head -2 "$work/out")"
    elif [ -n "$text" ] && ! grep -qF -- "$text" "$work/out"; then
        fail "$name" "does not say '$text' but: $(head -2 "$work/out")"
    else ok "$name"; fi
}
# The program must compile without a warning, and say 0 when it runs
accept() {
    local name=$1
    shift
    if ! "$simcc" -Wall -Wextra -Wno-unused "$@" -o "$work/program" >"$work/out" 2>&1 ||
        [ -s "$work/out" ]; then
        fail "$name" "$(head -5 "$work/out")"
    elif "$work/program" >"$work/out" 2>&1; then ok "$name"
    else fail "$name" "runs wrong: $(head -5 "$work/out")"; fi
}

# What an accepted program says about itself: // flags: FLAGS
flags() { sed -n 's|^// flags: ||p' "$1"; }

# ---- the translator by itself ----
cc=${CC:-cc}
sanitize="-g -fsanitize=address,undefined"
# shellcheck disable=SC2086 # two flags
if $cc -std=c11 $sanitize xlate_test.c ../../common/sim/xlate*.c -o "$work/xlate_test"; then
    "$work/xlate_test" >"$work/units"
    sed '$d' "$work/units"
    read -r p _ f _ < <(tail -1 "$work/units")
    passed=$((passed + p)) failed=$((failed + f))
else
    fail "xlate" "does not compile"
fi

# ---- what nvcc accepts ----
if [ -r "$build/lib/libsim.a" ]; then
    for cxx in $compilers; do
        for f in accept/*.cu; do
            # shellcheck disable=SC2046 # several flags
            accept "$cxx $f" -ccbin "$cxx" $(flags "$f") "$f"
        done
        sed 's/$/\r/' accept/launches.cu >"$work/crlf.cu"
        accept "$cxx CRLF" -ccbin "$cxx" "$work/crlf.cu"
        printf '\xef\xbb\xbf' | cat - accept/names.cu >"$work/bom.cu"
        accept "$cxx byte order mark" -ccbin "$cxx" "$work/bom.cu"
        part=(-ccbin "$cxx" -Iaccept/headers '-DIMPLEMENTATION="implementation.cu"')
        accept "$cxx headers" "${part[@]}" accept/headers/main.cu
        part=(-ccbin "$cxx" -I. '-DIMPLEMENTATION="implementation.cu"')
        # shellcheck disable=SC2016 # expanded by the inner shell
        check "$cxx headers beside" "wrong" bash -c 'cd accept/headers && "$@" && "$0"' "$work/here" \
            "$simcc" "${part[@]}" main.cu -o "$work/here"
    done
    accept "--asan" --asan accept/shared.cu
else
    skip "accept" "$build/lib/libsim.a is not built"
fi

# ---- what nvcc refuses ----
while IFS='|' read -r number name text; do
    line=$(awk -v n="$number" '$0 ~ "CASE == " n " //" {on = 1}
                               on && /\/\/ HERE/ {print NR; exit}' refuse.cu)
    says "refuse $number: $name" 1 "$text" "$simcc" "-DCASE=$number" -c refuse.cu -o "$work/refuse.o"
    grep -q "^refuse.cu:$line:" "$work/out" ||
        fail "refuse $number: $name" "line $line is not named: $(head -2 "$work/out")"
    [ -e "$work/refuse.o" ] && fail "refuse $number: $name" "left an object behind"
done < <(sed -n 's/ (sim only)$//
                 s/^#\(el\)\?if CASE == \([0-9]*\) \/\/ \([^:]*\): \(.*\)/\2|\3|\4/p' refuse.cu)
check "refuse: no case" "does not compile" "$simcc" -DCASE=0 -c refuse.cu -o "$work/none.o"

# ---- the driver ----
cat >"$work/ok.cu" <<'EOF'
#include <cstdio>
__global__ void k(int *p)
{
    *p = 7;
}
int main()
{
    int *p, v;
    cudaMalloc(&p, 4);
    k<<<1, 1>>>(p);
    cudaMemcpy(&v, p, 4, cudaMemcpyDeviceToHost);
    cudaFree(p);
    printf("%d %s\n", v, __FILE__);
}
EOF
cd "$work" || exit 1
says "--help" 0 "SIM_MEMORY" "$simcc" --help
says "--version" 0 "simcc" "$simcc" --version
check "--check builds" "does not build" "$simcc" --check ok.cu -o ok-checked
says "-run" 1 "simcc does not run programs" "$simcc" -run ok.cu
says "no file" 1 "no input file" "$simcc"
says "missing file" 1 "nowhere.cu: No such file" "$simcc" nowhere.cu
says "a folder" 1 "tmp: is a directory" "$simcc" -x cu tmp
echo "int a;" >thing.txt
says "unknown kind" 1 "thing.txt: unknown kind of file" "$simcc" thing.txt
says "no such folder for the output" 1 "nowhere/x: cannot be written" "$simcc" ok.cu -o nowhere/x
says "output is a folder" 1 "tmp: is a directory" "$simcc" ok.cu -o tmp
says "output is an input" 1 "ok.cu: is an input file" "$simcc" ok.cu -o ./ok.cu
says "unknown long flag" 1 "--frobnicate" "$simcc" --frobnicate ok.cu
says "-ptx" 1 "-ptx" "$simcc" -ptx ok.cu
says "library of the toolkit" 1 "-lcublas" "$simcc" ok.cu -lcublas
says "compiler that is not there" 1 "no-such-c++" "$simcc" -ccbin no-such-c++ ok.cu
says "no compiler at all" 1 "apt-get install g++" env PATH=/nowhere "$simcc" ok.cu
says "temporary folder" 1 "set TMPDIR" env TMPDIR=/nowhere "$simcc" ok.cu
# shellcheck disable=SC2016 # simcc writes a dollar
says "--translate" 0 'k%$(1, 1)  (p);' "$simcc" --translate ok.cu
says "-E" 0 "sim_launch" "$simcc" -E ok.cu
if [ -c /dev/full ]; then
    says "full disk" 1 "No space left" bash -c "'$simcc' --translate ok.cu >/dev/full"
fi
echo '__global__ void k() { extern __shared__ int a[], b[]; } int main() {}' >two.cu
says "a warning is no error" 0 "two.cu:1:50: warning: 'b' is the same memory" "$simcc" -c two.cu -o two.o
check "-w silences it" "it still warns" test -z "$("$simcc" -w -c two.cu -o two.o 2>&1)"
printf 'int main()\n{\n    return wrong;\n}\n' >bad.cu
says "the compiler's error names line and column" 1 "bad.cu:3:12: error" "$simcc" -c bad.cu
says "/dev/null survives an error" 1 "" "$simcc" -c bad.cu -o /dev/null
check "and is there" "it is gone" test -c /dev/null
[ -e bad.o ] && fail "bad.cu" "left an object behind"
printf '#include <cstdio>\n#include "h.h"\nint main() { return 0; }\n' >inc.cu
printf '__global__ void k() {}\nint h = wrong;\n' >h.h
says "a header's error names the header" 1 "h.h:2:9: error" "$simcc" -c inc.cu
if [ -r "$build/lib/libsim.a" ]; then
    mkdir -p sub
    cp ok.cu sub/ok.cu
    printf '#include <cuda_runtime.h>\nint twice(int);\nint twice(int a) { return 2 * a; }\n' >t.cpp
    printf 'int thrice(int a);\nint thrice(int a) { int class = a; return 3 * class; }\n' >t.c
    says "flags of nvcc" 0 "" "$simcc" -arch=sm_90 -gencode arch=compute_90,code=sm_90 -rdc=true -lineinfo \
        -G --use_fast_math --expt-relaxed-constexpr -Xptxas -v -std=c++17 -O3 -g -Xcompiler -Wall,-Wextra \
        -Xlinker -s \
        sub/ok.cu t.cpp t.c -lcudart -lcuda -lm -o program
    says "and it runs" 0 "7 sub/ok.cu" ./program
    says "objects" 0 "" "$simcc" -dc ok.cu t.cpp
    says "and link" 0 "" "$simcc" ok.o t.o -o program2
    says "and run" 0 "7 ok.cu" ./program2
    cp ok.cu noext
    says "-x cu" 0 "" "$simcc" -x cu noext -o program3
    printf '#include <cassert>\n__global__ void k(int n) { assert(!n); }\nint main() { %s; }\n' \
        'k<<<1, 1>>>(1); return cudaDeviceSynchronize() == cudaErrorAssert' >assert.cu
    says "assert" 0 "" "$simcc" assert.cu -o program7
    says "assert stops a kernel" 1 "k(int): block: [0,0,0], thread: [0,0,0] Assertion" ./program7
    says "-DNDEBUG" 0 "" "$simcc" -DNDEBUG assert.cu -o program7
    check "and none is left" "it still asserts" ./program7
    printf 'extern "C" int f();\nextern "C" int f() { return cudaDeviceSynchronize(); }\n' >so.cu
    printf 'auto f = [](auto v) { return v; };\nint main() { return __cplusplus < 201703 || f(0); }\n' >std.cu
    for std in -std=c++03 -std=c++11 -std=gnu++14 --std=c++14 "-std c++14" "--std gnu++11" -std=c++20; do
        # shellcheck disable=SC2086 # two words
        says "$std is enough" 0 "" "$simcc" -v $std std.cu t.cpp -o program6
        says "and is 17 or later" 0 "" ./program6
    done
    says "-std of C stays" 0 "-std=c99" "$simcc" -v -std=c99 -c t.c
    mkdir -p toolkit
    echo '#error not ours' | tee toolkit/cuda_runtime.h >toolkit/cuda_runtime_api.h
    printf '#include <cuda_runtime_api.h>\nint main() {}\n' >api.cu
    says "-I of a toolkit" 0 "" "$simcc" -Itoolkit -I toolkit ok.cu api.cu t.cpp -c
    says "-shared" 0 "" "$simcc" -shared -fPIC so.cu -o so.so
    says "-shared loads" 0 "0" python3 -c 'import ctypes; print(ctypes.CDLL("./so.so").f())'
    printf '__global__ void k() {}\n' >dep.cuh
    printf '#include "plain.h"\n#include "dep.cuh"\nint main() { k<<<1, 1>>>(); }\n' >dep.cu
    : >plain.h
    says "-MMD" 0 "" "$simcc" -MMD -MP -c dep.cu -o dep.o
    says "-MMD names the sources" 0 "dep.o: dep.cu plain.h dep.cuh" tr -s ' \\\n' ' ' <dep.d
    for n in plain.h dep.cuh; do says "-MP $n" 0 "$n:" cat dep.d; done
    says "debug names" 0 "ok.cu" bash -c "readelf --debug-dump=info program2 | grep 'DW_AT_name.*ok.cu'"
    if command -v gdb >/dev/null; then
        "$simcc" -O0 ok.cu -o program4
        says "gdb" 0 "ok.cu:4" gdb -batch -ex "break ok.cu:4" -ex run -ex bt program4
    fi
    "$simcc" ok.cu -o program5 & pid=$!
    sleep 0.1
    kill -TERM $pid 2>/dev/null
    wait $pid 2>/dev/null
else
    skip "linking" "$build/lib/libsim.a is not built"
fi
check "no temporary files are left" "$(ls "$TMPDIR")" test -z "$(ls "$TMPDIR")"

# ---- each header that CUDA has too, by itself ----
cd "$here" || exit 1
for header in ../../common/sim/include/*.h; do
    name=${header##*/}
    printf '#include <%s>\nint main() { return 0; }\n' "$name" >"$work/alone.cpp"
    check "<$name> alone" "does not compile" \
        "$simcc" -Wall -Wextra -Werror -c "$work/alone.cpp" -o "$work/alone.o"
done

# ---- the same sources with nvcc, where it is asked for ----
if [ -n "${NVCC:-}" ]; then
    cd "$here" || exit 1
    for f in accept/*.cu; do
        # shellcheck disable=SC2046 # several flags
        check "$NVCC accepts $f" "refused" "$NVCC" -std=c++17 $(flags "$f") -c "$f" -o "$work/nvcc.o"
    done
    while read -r number; do
        check "$NVCC refuses $number" "accepted" \
            bash -c "! '$NVCC' -std=c++17 -DCASE=$number -c refuse.cu -o '$work/nvcc.o'"
    done < <(sed -n '/sim only/d;s/^#\(el\)\?if CASE == \([0-9]*\) .*/\2/p' refuse.cu)
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]

# SPDX-License-Identifier: MIT
# GPU Memory Labs: the front desk. Type `make`. Everything built goes under build/; a new file is found.

B        ?= build
CXX      ?= g++
CFLAGS   ?= -O2 -g
SIMFLAGS ?= -Wall -Wextra
CUFLAGS  ?= -std=c++17 -O2 -lineinfo
NVCC     := $(shell command -v nvcc 2>/dev/null)
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=undefined

# The name of a GPU that answers, or nothing; asked at the first use, since most targets need not know.
GPU     = $(eval GPU := $(and $(NVCC),$(shell $(QUERY))))$(GPU)
QUERY   = { [ $B/cuda/query -nt common/query.cu ] || { mkdir -p $B/cuda && \
            $(NVCC) -o $B/cuda/query common/query.cu; }; } >/dev/null 2>&1 && $B/cuda/query 2>/dev/null
DEVICE ?= $(if $(GPU),cuda,sim)
BEST    = $(or $(filter sim cuda,$(DEVICE)),$(error DEVICE is sim or cuda, not $(DEVICE)))

APT     = sudo apt-get install -y
need    = $(if $(shell command -v $1 2>/dev/null),,$(error $1 is missing. $2))
needs   = $(call need,$(firstword $1),Install it: $(APT) g++ make python3)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SECONDARY:
.SECONDEXPANSION:

# ---- the simulated device: simcc and the library that it links ----
SIMCC   := $B/bin/simcc
LIB     := $B/lib/libsim.a
SIM     := $(SIMCC) $(LIB) $(wildcard common/*.h common/sim/include/*.h common/sim/include/*/*)
SOURCES := $(wildcard common/sim/src/*.c common/sim/src/*.S)
COMPILE  = @$(call needs,$(CC))mkdir -p $(@D); $(CC) -std=gnu11 $(CFLAGS) -Wall -Wextra -Icommon/sim/include \
           $1 -MMD -MP -MF $@.d -c $< -o $@

$B/obj/simcc/%.o: common/sim/%.c Makefile
	$(call COMPILE)
# Also for shared objects (simcc -shared): hidden, so that each has a device of its own and pays no table look-ups.
PIC := -fPIC -fvisibility=hidden -ftls-model=initial-exec
$B/obj/sim/%.o: common/sim/src/% Makefile
	$(call COMPILE,$(PIC))
OURS := -Wno-builtin-declaration-mismatch # the sanitizers' functions, which tsan.c and index.c define
$B/obj/asan/%.o: common/sim/src/% Makefile
	$(call COMPILE,$(PIC) $(SANITIZE) $(OURS))
$B/obj/tsan/%.o: common/sim/src/% Makefile
	$(call COMPILE,$(PIC) -fsanitize=thread -DSIM_RUNTIME $(OURS))
$B/obj/sim/page_assets.S.o $B/obj/asan/page_assets.S.o $B/obj/tsan/page_assets.S.o: $(wildcard common/sim/src/page*)
$(SIMCC): $(patsubst common/sim/%.c,$B/obj/simcc/%.o,$(wildcard common/sim/*.c))
	@$(call needs,$(CC))mkdir -p $(@D); $(CC) $(CFLAGS) $^ -o $@
$(LIB): $(SOURCES:common/sim/src/%=$B/obj/sim/%.o)
	@mkdir -p $(@D); rm -f $@; $(AR) rcs $@ $^
$B/asan/lib/libsim.a: $(SOURCES:common/sim/src/%=$B/obj/asan/%.o)
	@mkdir -p $(@D); rm -f $@; $(AR) rcs $@ $^

# Without tsan.c, whose functions, by which the checked build looks at a program, are ThreadSanitizer's own here.
$B/tsan/lib/libsim.a: $(patsubst common/sim/src/%,$B/obj/tsan/%.o,$(filter-out %/tsan.c,$(SOURCES)))
	@mkdir -p $(@D); rm -f $@; $(AR) rcs $@ $^

# ---- programs: the same files for each device. $1 folder, $2 compiler and flags, $3 what they come from, $4 more
#      flags for labs: on the simulated device each access is watched ----
define PROGRAMS
$1/labs/%: labs/%.cu $3
	@mkdir -p $$(@D); $2 $4 -I. -o $$@ $$<
$1/solutions/%: labs/%.cu solutions/%.cu $3
	@mkdir -p $$(@D); $2 $4 -I. -DLAB_IMPL='"solutions/$$*.cu"' -o $$@ $$<
$1/wrong/%: labs/$$$$(firstword $$$$(subst -, ,$$$$*)).cu tests/wrong/%.cu $3
	@mkdir -p $$(@D); $2 $4 -I. -DLAB_IMPL='"tests/wrong/$$*.cu"' -o $$@ $$<
$1/conformance/%: tests/conformance/%.cu $(wildcard tests/conformance/*.h) $3
	@mkdir -p $$(@D); $2 -o $$@ $$<
$1/headers/%: tests/headers/%.cu $3
	@mkdir -p $$(@D); $2 -o $$@ $$<
$1/headers/%: tests/headers/%.cpp $3
	@mkdir -p $$(@D); $2 -o $$@ $$<
endef
CUDA := $$(call need,$(or $(NVCC),nvcc))$(NVCC) $(CUFLAGS) -lcuda $$(if $$(GPU),-arch=native)
$(eval $(call PROGRAMS,$B,$$(call needs,$$(CXX))$(SIMCC) $(SIMFLAGS),$(SIM),--check))
$(eval $(call PROGRAMS,$B/asan,$(SIMCC) --asan $(SIMFLAGS) $B/asan/lib/libsim.a,$(SIM) $B/asan/lib/libsim.a))
$(eval $(call PROGRAMS,$B/checked,$(SIMCC) --check $(SIMFLAGS),$(SIM)))
$(eval $(call PROGRAMS,$B/cuda,$(CUDA),$(wildcard common/*.h)))
$B/bench/%: tests/bench/%.cu tests/bench/bench.h $(SIM)
	@mkdir -p $(@D); $(SIMCC) $(if $(findstring checked,$*),--check) -O2 $< -o $@
$B/cuda/query: common/query.cu
	@$(call need,$(or $(NVCC),nvcc))mkdir -p $(@D); $(NVCC) $< -o $@

# ---- fuzzers: a harness and the driver of tests/fuzz, with AddressSanitizer ----
DRIVER := tests/fuzz/main.c $(wildcard tests/fuzz/*.h)
XLATE  := $(wildcard common/sim/xlate*.c)
FUZZED  = $(SIMCC) --asan -g -O1 $(SIMFLAGS)
$B/fuzz/xlate: tests/fuzz/xlate.c $(DRIVER) $(XLATE)
	@mkdir -p $(@D); $(CC) -std=gnu11 -g -O1 -Wall -Wextra $(SANITIZE) $(filter %.c,$^) -o $@
$B/fuzz/xlate-guided: tests/fuzz/xlate.c $(XLATE)
	@mkdir -p $(@D); clang -g -O1 -fsanitize=fuzzer,address,undefined $^ -o $@
# The calls, which the checked build watches, and what makes the inputs.
CALLS  := $(addprefix tests/fuzz/,api.c model.c calls.c work.c space.c kernels.cu)
INPUTS := $(DRIVER) $(SIM) $B/asan/lib/libsim.a
$B/fuzz/api: $(CALLS) $(INPUTS)
	@mkdir -p $(@D); $(FUZZED) $(CALLS) tests/fuzz/main.c $B/asan/lib/libsim.a -o $@
WRAPPED := cudaMemset cudaFree cudaGetLastError cudaStreamWaitEvent cudaGraphLaunch cudaLaunchHostFunc cuMemMap
$B/fuzz/broken: tests/fuzz/broken.c $(CALLS) $(INPUTS)
	@mkdir -p $(@D); $(FUZZED) $(WRAPPED:%=-Wl,--wrap=%) $< $(CALLS) tests/fuzz/main.c $B/asan/lib/libsim.a -o $@
$B/fuzz/checked: $(CALLS) $(INPUTS)
	@mkdir -p $@-objects && cd $@-objects && $(abspath $(SIMCC)) --check -g $(SIMFLAGS) -c $(abspath $(CALLS))
	@$(FUZZED) $@-objects/*.o tests/fuzz/main.c $B/asan/lib/libsim.a -o $@

# ---- what to type; a comment after ## makes a line of `make help` ----
LABS    := $(patsubst labs/%.cu,%,$(sort $(wildcard labs/*.cu)))
lab      = $(or $(filter $1 $1_% 0$1 0$1_%,$(LABS)),$(error no lab $1; there are: $(LABS)))
P        = $B/$(if $(filter cuda,$(BEST)),cuda/)
TESTS    = $(call needs,python3)tests/run --build $B --device

run: ## run every lab's solution, then show a table
	@$(TESTS) $(BEST) --show solutions
test: ## run all tests, or some: make test ONLY="wrong labs/03"
	@$(TESTS) sim $(ONLY)
gpu: $B/cuda/query
	@$<
test-gpu: ## run labs, solutions, wrong answers and conformance programs on a GPU
	@$(TESTS) cuda $(ONLY)
lab-%: $$Plabs/$$(call lab,$$*) ## build and check lab NN: your code
	@$< || [ $$? -le 2 ] # 1 and 2 are verdicts, which the program has said; make need not add to them
solution-%: $$Psolutions/$$(call lab,$$*) ## the same with the solution
	@$<
hint-%: ## one more hint for lab NN, for the first task that does not pass or TASK=N
	@$(call needs,python3)labs/hint --build $B $(TASK:%=--task %) $*
fuzz: tools ## look for faults by chance, SECONDS (60) long, on JOBS processors
	@$(call needs,python3)tests/fuzz/run.py --seconds $(or $(SECONDS),60) $(JOBS:%=--jobs %)
bench: $B/bench/bench_device $B/bench/bench_checked ## time the simulated device, its checks and simcc
	@$(call needs,python3)tests/bench/run $B
docs: ## build the manual with Doxygen: build/docs/html/index.html
	@$(call need,doxygen,Install it: $(APT) doxygen)mkdir -p $B/docs
	@{ cat docs/Doxyfile && echo 'OUTPUT_DIRECTORY = $B/docs'; } >$B/docs/Doxyfile && doxygen $B/docs/Doxyfile
tools: $(SIMCC) $(LIB) ## build simcc and the simulated device
libraries: tools $B/asan/lib/libsim.a $B/tsan/lib/libsim.a # all that tests, which run makes side by side, share
clean: ## remove build/
	rm -rf $B

FOUND = @v=$$({ $2; } 2>/dev/null); if [ -n "$$v" ]; then printf '  ok       %-8s %s\n' $1 "$$v"; \
        else printf '  missing  %-8s %s\n' $1 '$3'; fi
help: ## this text
	@echo 'GPU Memory Labs. What this machine has:'
	$(call FOUND,$(firstword $(CXX)),$(CXX) -dumpfullversion -dumpversion,$(APT) g++)
	$(call FOUND,python3,python3 -c "import platform as p; print(p.python_version())",$(APT) python3)
	$(call FOUND,doxygen,doxygen --version,only for `make docs`: $(APT) doxygen)
	$(call FOUND,nvcc,$(NVCC) --version | sed -n "s/.*release \([0-9.]*\).*/\1/p",only for a real GPU)
	$(call FOUND,GPU,echo '$(GPU)',the simulated device takes its place)
	@echo 'Device: $(BEST). What to type:'
	@awk -F ':.*## ' '/^[a-z%-]+:.*## / { sub(/%/, "NN", $$1); printf "  make %-12s %s\n", $$1, $$2 }' Makefile

.PHONY: run test gpu test-gpu fuzz bench docs tools libraries clean help
-include $(wildcard $B/obj/*/*.d)

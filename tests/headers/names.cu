/* SPDX-License-Identifier: MIT */
/* Names that learners give to globals must still be free with every header and `using namespace std`. */
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuComplex.h>
#include <math_constants.h>
#include <device_launch_parameters.h>
using namespace std;
#if _GLIBCXX_RELEASE >= 13 // its <utility>, which nvcc's headers include as well, declares std::array
#define array array_
#endif

int count, data[3], size, left, right, hash, array[3], function, ref, find, sort, reduce, transform, vector,
    string, map, set, queue, less, merge, saturate, lane, warp, mask, value, lerp, clamp, half_t, narrow,
    rounding, up, down, file, line, fused, sticky, shuffle, swap_count, sum, average, table, plus_one, block,
    grid, tile;

int main()
{
    data[0] = count = size = left = right = hash = array[0] = function = ref = find = sort = reduce =
        transform = 1;
    vector = string = map = set = queue = less = merge = saturate = lane = warp = mask = value = lerp =
        clamp = 1;
    half_t = narrow = rounding = up = down = file = line = fused = sticky = shuffle = swap_count = sum = 1;
    average = table = plus_one = block = grid = tile = max(count, 0);
    return min(tile, 0);
}

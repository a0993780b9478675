/* SPDX-License-Identifier: MIT */
/* C++17's special functions are there for who includes <cmath>, and CUDA's names are not in their way. */
#include <cmath>

int main()
{
    return std::beta(1.0, 2.0) + std::cyl_bessel_j(0, 0.0) + sinpi(0.5) + (double)rsqrt(4.0f) > 2.99 ? 0 : 1;
}

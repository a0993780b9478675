// SPDX-License-Identifier: MIT
// Host code goes through a device pointer: caught at the line. Computing with the pointer is legal.
//
// run: a
// finding: host access @read@ @allocated@
// expect: byte 12 of the 400-byte
// expect-not: usable value
// run: b
// finding: host access @write@ @allocated@
// expect: byte 12 of the 400-byte
// expect-not: went on
// run: c
// expect: equal 1 distance 7 inside 1
// run: d
// finding: host access @memcpy@ @allocated@
// expect: of the 400-byte
// run: e
// finding: host access @member@ @structure@
// expect: byte 8 of the 16-byte
// run: f
// finding: host access @callee@ @allocated@
// expect: byte 396 of the 400-byte
// run: g
// finding: host access @argument@ @allocated@
// expect: byte 40 of the 400-byte
// run: h
// finding: host access @filled@ @allocated@
// expect: byte 16 of the 400-byte
// run: i
// finding: host access @text@ @allocated@
#include <stdio.h>
#include <string.h>

struct pair {
    double low, high;
};

static void store(float *p, int i)
{
    p[i] = 1; // callee
}

int main(int argc, char **argv)
{
    float *d, host[100];
    struct pair *p;
    cudaMalloc(&d, 400); // allocated
    cudaMalloc(&p, 16); // structure
    cudaMemset(d, 0, 400);
    cudaMemset(p, 0, 16);
    switch (argc > 1 ? argv[1][0] : 0) {
    case 'a':
        printf("usable value %f\n", d[3]); // read
        break;
    case 'b':
        d[3] = 1; // write
        printf("went on\n");
        break;
    case 'c': {
        float *q = &d[3];
        bool equal = q == d + 3;
        q = d + 7;
        printf("equal %d distance %d inside %d, at %p, low at %p\n", equal, (int)(q - d), q < d + 100,
               (void *)d, (void *)&p->low);
        break;
    }
    case 'd':
        memcpy(host, d, 400); // memcpy
        printf("%f\n", host[5]);
        break;
    case 'e':
        printf("%f\n", p->high); // member
        break;
    case 'f':
        store(d, 99);
        break;
    case 'g':
        snprintf((char *)host, sizeof host, "%g %g", 1.0, d[10]); // argument
        puts((char *)host);
        break;
    case 'h':
        for (int i = 4; i < 8; i++)
            d[i] += 2; // filled
        break;
    case 'i':
        puts((char *)d); // text
    }
    cudaFree(d);
    cudaFree(p);
    return 0;
}

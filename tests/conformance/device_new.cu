/* SPDX-License-Identifier: MIT */
/* new and delete in kernels. */
#include <new>
#include "heap.h"

struct Shape {
    __device__ Shape()
    {
        noted[6]++;
    }
    __device__ virtual ~Shape()
    {
        noted[7]++;
    }
    __device__ virtual int area() const = 0;
};

struct Square : Shape {
    int side;
    __device__ explicit Square(int s) : side(s)
    {
    }
    __device__ int area() const override
    {
        return side * side;
    }
};

template <typename T> struct Box : Shape {
    T *data;
    int count;
    __device__ explicit Box(int n) : data(new T[n]), count(n)
    {
        for (int i = 0; i < n; i++)
            data[i] = T(i);
    }
    __device__ ~Box() override
    {
        delete[] data;
    }
    __device__ int area() const override
    {
        T s = 0;
        for (int i = 0; i < count; i++)
            s += data[i];
        return (int)s;
    }
};

struct Counted {
    int value;
    __device__ Counted() : value((int)noted[4]++)
    {
    }
    __device__ ~Counted()
    {
        noted[5] += value;
    }
};

__global__ static void make(Shape **shapes)
{
    shapes[0] = new Square(5);
    shapes[1] = new Box<int>(10);
    shapes[2] = new Box<double>(100);
}

__global__ static void use_and_delete(Shape **shapes)
{
    for (int i = 0; i < 3; i++) {
        noted[i] = shapes[i]->area();
        delete shapes[i];
    }
}

__global__ static void arrays()
{
    Counted *many = new Counted[10];
    noted[0] = many[9].value;
    delete[] many;
    int *zeros = new int[8](), seen = 0;
    for (int i = 0; i < 8; i++)
        seen += zeros[i];
    noted[1] = seen;
    delete[] zeros;
    int *one = new int(42);
    noted[2] = *one;
    delete one;
    alignas(16) char room[sizeof(Counted)];
    Counted *here = new (room) Counted;
    noted[3] = here->value;
    here->~Counted();
    void *raw = malloc(sizeof(Counted));
    Counted *there = new (raw) Counted;
    there->~Counted();
    free(raw);
    void *bytes = operator new(100);
    operator delete(bytes);
}

static void objects()
{
    Shape **shapes;
    forget();
    cudaMalloc(&shapes, 3 * sizeof *shapes);
    make<<<1, 1>>>(shapes);
    use_and_delete<<<1, 1>>>(shapes);
    ASK(learn());
    SAY("areas %llu %llu %llu; constructed %llu, destroyed %llu", told[0], told[1], told[2], told[6],
        told[7]);
    forget();
    arrays<<<1, 1>>>();
    ASK(learn());
    SAY("last %llu, zeros %llu, one %llu, placed %llu; constructed %llu, sum of the destroyed %llu", told[0],
        told[1], told[2], told[3], told[4], told[5]);
}

struct Huge {
    int first;
    char rest[64 << 20];
    __device__ Huge() : first(1)
    {
        noted[3] = 1;
    }
};

__global__ static void too_much()
{
    noted[0] = seen(new char[(size_t)1 << 30]) != NULL;
    noted[1] = seen(new double[(size_t)1 << 27]) != NULL;
    noted[2] = seen(operator new((size_t)1 << 30)) != NULL;
}

__global__ static void too_much_with_a_constructor()
{
    noted[0] = seen(new Huge) != NULL;
    noted[1] = 1;
}

static void new_that_fails()
{
    forget();
    too_much<<<1, 1>>>();
    ASK(learn());
    SAY("char[]: %llu; double[]: %llu; operator new: %llu", told[0], told[1], told[2]);
}

static void new_that_fails_and_constructs()
{
    forget();
    too_much_with_a_constructor<<<1, 1>>>();
    if (!ASK(learn()))
        SAY("got one: %llu; went on: %llu; constructed: %llu", told[0], told[1], told[3]);
}

/* The host's heap for the host, the device's for the device. */
__host__ __device__ static int twice_summed(int n)
{
    int *a = (int *)malloc(n * sizeof *a), *b = new int[n], s = 0;
    for (int i = 0; i < n; i++)
        a[i] = b[i] = i;
    for (int i = 0; i < n; i++)
        s += a[i] + b[i];
    free(a);
    delete[] b;
    return s;
}

__global__ static void sums(int n)
{
    noted[0] = twice_summed(n);
}

static void host_and_device()
{
    sums<<<1, 1>>>(50);
    ASK(learn());
    SAY("device %llu, host %d", told[0], twice_summed(50));
}

int main()
{
    CASE(objects);
    CASE(new_that_fails);
    CASE(new_that_fails_and_constructs);
    CASE(host_and_device);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* Pools of the program's own, and virtual addresses: memory that is mapped to them, to several if so. */
#include "model.h"

/* ---- pools ---- */

static void create_pool(void)
{
    struct cudaMemPoolProps props = {.allocType = cudaMemAllocationTypePinned,
                                     .location = {cudaMemLocationTypeDevice, 0}};
    int none = !orderly && args[4] >= 250;
    if (pools[1] || pool_leaves)
        return;
    want(none, cudaErrorInvalidValue);
    say("cudaMemPoolCreate(&p1, %s)", none ? "NULL" : "&props");
    answer(cudaMemPoolCreate(&pools[1], none ? NULL : &props));
}

static void destroy_pool(int i)
{
    if (orderly && i == 0)
        return;
    want(i == 0, cudaErrorInvalidValue);
    say("cudaMemPoolDestroy(p%d)", i);
    if (!answer(cudaMemPoolDestroy(pools[i])))
        return;
    for (int k = 0; k < BLOCKS; k++)
        if (memory[k].kind == POOLED && memory[k].from == i)
            memory[k].from = GONE;
    pools[i] = NULL;
    pool_now = 0;
    pool_leaves = 1;
}

void pool_calls(void)
{
    int i = pools[1] != NULL && args[1] % 4, on = args[5] & 1;
    enum cudaMemPoolAttr attribute = (enum cudaMemPoolAttr)(1 + args[4] % 3);
    unsigned long long keep = (unsigned long long)args[5] << 19;
    cudaMemPool_t now;
    switch (args[3] % 8) {
    case 0:
    case 1:
        create_pool();
        return;
    case 2:
        if (pools[i])
            destroy_pool(i);
        return;
    case 3:
        say("cudaMemPoolSetAttribute(p%d, cudaMemPoolAttrReleaseThreshold, %llu)", i, keep);
        answer(cudaMemPoolSetAttribute(pools[i], cudaMemPoolAttrReleaseThreshold, &keep));
        return;
    case 4:
        say("cudaMemPoolTrimTo(p%d, %llu)", i, keep);
        answer(cudaMemPoolTrimTo(pools[i], keep));
        return;
    case 5:
        say("cudaMemPoolSetAttribute(p%d, %d, %d)", i, (int)attribute, on);
        answer(cudaMemPoolSetAttribute(pools[i], attribute, &on));
        return;
    case 6:
        say("cudaDeviceSetMemPool(0, p%d)", i);
        if (answer(cudaDeviceSetMemPool(0, pools[i])))
            pool_now = i;
        return;
    default:
        say("cudaDeviceGetMemPool(&p, 0)");
        answer(cudaDeviceGetMemPool(&now, 0));
        if (now != pools[pool_now])
            fail("is not p%d", pool_now);
    }
}

/* ---- virtual addresses ---- */

#define PAGE ((size_t)2 << 20)
enum { HANDLES = 3, RANGES = PLACES / 2 };

static struct handle {
    CUmemGenericAllocationHandle handle;
    size_t bytes;
    int refs, maps;
    struct bytes is;
} handles[HANDLES];

/* A range has two places, with room between them. */
static struct {
    CUdeviceptr p;
    int live;
} ranges[RANGES];
enum { RANGE_PAGES = 6, PLACE_PAGES = 3 };

static int wild(int value)
{
    return !orderly && args[7] >= 240 && args[7] % 4 == value;
}

size_t space_taken(void)
{
    size_t bytes = 0;
    for (const struct handle *h = handles; h < handles + HANDLES; h++)
        bytes += h->refs || h->maps ? h->bytes : 0;
    return bytes;
}

static void create(struct handle *h)
{
    size_t bytes = wild(1) ? 1000 : PAGE * (1 + args[4] % 2);
    CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                .location = {CU_MEM_LOCATION_TYPE_DEVICE, wild(2) ? 9 : 0}};
    if (h->refs || h->maps)
        return;
    want(wild(1) || wild(3), (cudaError_t)CUDA_ERROR_INVALID_VALUE);
    want(wild(2), (cudaError_t)CUDA_ERROR_INVALID_DEVICE);
    say("cuMemCreate(&h%d, %zu, &prop, %d)", (int)(h - handles), bytes, wild(3));
    if (!driver_answer(cuMemCreate(&h->handle, bytes, &prop, (unsigned)wild(3))))
        return;
    h->bytes = bytes;
    h->refs = 1;
    h->is.owner = HOST;
    memset(h->is.value, FRESH_BYTE, TRACKED);
    memset(h->is.state, racing ? UNKNOWN : FRESH, TRACKED);
}

static void let_go(struct handle *h)
{
    if (!h->refs && !wild(1))
        return;
    want(wild(1), (cudaError_t)CUDA_ERROR_INVALID_VALUE);
    say("cuMemRelease(%s%d)", wild(1) ? "0 * h" : "h", (int)(h - handles));
    h->refs -= driver_answer(cuMemRelease(wild(1) ? 0 : h->handle));
}

static void reserve(int r)
{
    size_t bytes = wild(1) ? 1000 : RANGE_PAGES * PAGE;
    if (ranges[r].live) {
        struct memory *places = &memory[BLOCKS + HOSTS + 2 * r];
        int in_use = places[0].live || places[1].live;
        if (orderly && in_use)
            return;
        want(in_use || wild(1), (cudaError_t)CUDA_ERROR_INVALID_VALUE);
        say("cuMemAddressFree(r%d, %zu)", r, bytes);
        ranges[r].live = !driver_answer(cuMemAddressFree(ranges[r].p, bytes));
        return;
    }
    want(wild(1), (cudaError_t)CUDA_ERROR_INVALID_VALUE);
    say("cuMemAddressReserve(&r%d, %zu, 0, 0, 0)", r, bytes);
    ranges[r].live = driver_answer(cuMemAddressReserve(&ranges[r].p, bytes, 0, 0, 0));
    if (ranges[r].live)
        forget_dead((char *)ranges[r].p, bytes);
}

static CUdeviceptr address(int place)
{
    return ranges[place / 2].p + (size_t)(place % 2) * PLACE_PAGES * PAGE;
}

static void map(int place, struct handle *h)
{
    struct memory *m = &memory[BLOCKS + HOSTS + place];
    size_t bytes = wild(1) ? PAGE / 2 : h->bytes;
    int bad = !ranges[place / 2].live || m->live || !h->refs || wild(1);
    if ((orderly && bad) || !h->refs)
        return;
    want(bad, (cudaError_t)CUDA_ERROR_INVALID_VALUE);
    say("cuMemMap(place %d, %zu, 0, h%d, 0)", place, bytes, (int)(h - handles));
    if (!driver_answer(cuMemMap(address(place), bytes, 0, h->handle, 0)))
        return;
    *m = (struct memory){.p = (char *)address(place),
                         .bytes = h->bytes,
                         .kind = MAPPED,
                         .live = 1,
                         .from = (int)(h - handles),
                         .is = &h->is};
    h->maps++;
}

/* What uses a mapping, before it changes: nothing waits for that. */
static void let_finish(struct memory *m)
{
    if (!m->live)
        return;
    forget_graphs(m->is);
    if (racing)
        finished();
    own(m, HOST, 3);
}

static void unmap(int place)
{
    struct memory *m = &memory[BLOCKS + HOSTS + place];
    size_t bytes = wild(1) ? PAGE / 2 : m->live ? m->bytes : PAGE;
    if (orderly && !m->live)
        return;
    let_finish(m);
    want(!ranges[place / 2].live || wild(1), (cudaError_t)CUDA_ERROR_INVALID_VALUE);
    say("cuMemUnmap(place %d, %zu)", place, bytes);
    if (!driver_answer(cuMemUnmap(address(place), bytes)) || !m->live)
        return; /* where nothing is mapped that is a success */
    m->live = 0;
    handles[m->from].maps--;
}

static void set_access(int place)
{
    static const int kinds[] = {READ | WRITE, READ | WRITE, READ, 0};
    struct memory *m = &memory[BLOCKS + HOSTS + place];
    int access = wild(1) ? WRITE : kinds[args[4] % 4];
    CUmemAccessDesc desc = {{CU_MEM_LOCATION_TYPE_DEVICE, wild(2) ? 9 : 0}, (CUmemAccess_flags)access};
    unsigned long long now;
    if (orderly && !m->live)
        return;
    let_finish(m);
    want(!m->live || wild(1) || wild(2), (cudaError_t)CUDA_ERROR_INVALID_VALUE);
    say("cuMemSetAccess(place %d, %zu, %d)", place, m->live ? m->bytes : PAGE, access);
    if (driver_answer(cuMemSetAccess(address(place), m->live ? m->bytes : PAGE, &desc, 1)))
        m->access = access;
    if (!m->live)
        return;
    desc.location.id = 0;
    say("cuMemGetAccess(&now, place %d)", place);
    driver_answer(cuMemGetAccess(&now, &desc.location, address(place)));
    if (now != (unsigned)m->access)
        fail("is %llu, not %d", now, m->access);
}

static void retain(int place)
{
    struct memory *m = &memory[BLOCKS + HOSTS + place];
    CUmemGenericAllocationHandle handle = 0;
    if (orderly && !m->live)
        return;
    want(!m->live, (cudaError_t)CUDA_ERROR_INVALID_VALUE);
    say("cuMemRetainAllocationHandle(&h, place %d)", place);
    if (!driver_answer(cuMemRetainAllocationHandle(&handle, (void *)address(place))))
        return;
    if (handle != handles[m->from].handle)
        fail("is not h%d", m->from);
    handles[m->from].refs++;
}

void space_calls(void)
{
    int place = args[1] % PLACES;
    struct handle *h = &handles[args[2] % HANDLES];
    switch (args[3] % 12) {
    case 0:
    case 1:
        create(h);
        return;
    case 2:
        let_go(h);
        return;
    case 3:
    case 4:
        if (!ranges[place / 2].live || args[3] >= 128)
            reserve(place / 2);
        return;
    case 5:
        unmap(place);
        return;
    case 6:
        retain(place);
        return;
    case 7:
    case 8:
    case 9:
        if (memory[BLOCKS + HOSTS + place].live)
            set_access(place);
        else
            map(place, h);
        return;
    default:
        set_access(place);
    }
}

void space_begin(void)
{
    memset(handles, 0, sizeof handles);
    memset(ranges, 0, sizeof ranges);
    for (int i = 0; i < POOLS; i++)
        pools[i] = NULL;
    pool_now = pool_leaves = 0;
    say("cudaDeviceGetDefaultMemPool(&p0, 0)");
    answer(cudaDeviceGetDefaultMemPool(&pools[0], 0));
}

/* A reset of the device leaves all of it. */
void space_end(void)
{
    for (int place = 0; place < PLACES; place++)
        if (memory[BLOCKS + HOSTS + place].live) {
            say("cuMemUnmap(place %d)", place);
            driver_answer(cuMemUnmap(address(place), memory[BLOCKS + HOSTS + place].bytes));
        }
    for (struct handle *h = handles; h < handles + HANDLES; h++)
        while (h->refs) {
            say("cuMemRelease(h%d)", (int)(h - handles));
            h->refs -= driver_answer(cuMemRelease(h->handle));
        }
    for (int r = 0; r < RANGES; r++)
        if (ranges[r].live) {
            say("cuMemAddressFree(r%d)", r);
            driver_answer(cuMemAddressFree(ranges[r].p, RANGE_PAGES * PAGE));
        }
}

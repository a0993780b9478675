/* SPDX-License-Identifier: MIT */
/* Who may use a pool's memory: asked and told, in processes of their own where the answer may be a crash. */
#include "probe.h"

static cudaMemPool_t pool;
static cudaMemLocation here, far;
static cudaMemAccessDesc desc;
static cudaMemAccessFlags flags = (cudaMemAccessFlags)99;

static void prepare()
{
    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    here = far = props.location;
    far.id = 99;
    desc.location = here;
    desc.flags = cudaMemAccessFlagsProtReadWrite;
    cudaMemPoolCreate(&pool, &props);
}

static void ask_nowhere()
{
    prepare();
    ASK(cudaMemPoolGetAccess(&flags, pool, NULL));
}

static void ask_far()
{
    prepare();
    ASK(cudaMemPoolGetAccess(&flags, pool, &far));
    SAY("flags %d", (int)flags);
    far.id = -1;
    ASK(cudaMemPoolGetAccess(&flags, pool, &far));
}

static void ask_host()
{
    prepare();
    for (auto type : {cudaMemLocationTypeHost, cudaMemLocationTypeHostNuma, cudaMemLocationTypeInvalid}) {
        far = {type, 0};
        SAY("type %d", (int)type);
        ASK(cudaMemPoolGetAccess(&flags, pool, &far));
        SAY("flags %d", (int)flags);
    }
}

static void ask_no_pool()
{
    prepare();
    ASK(cudaMemPoolGetAccess(&flags, NULL, &here));
}

static void set()
{
    prepare();
    ASK(cudaMemPoolSetAccess(pool, &desc, 1));
    ASK(cudaMemPoolSetAccess(pool, &desc, 0));
    ASK(cudaMemPoolSetAccess(pool, NULL, 0));
    for (auto kind : {cudaMemAccessFlagsProtRead, cudaMemAccessFlagsProtNone}) {
        desc.flags = kind;
        ASK(cudaMemPoolSetAccess(pool, &desc, 1));
        ASK(cudaMemPoolGetAccess(&flags, pool, &here));
        SAY("flags %d", (int)flags);
    }
    desc.location = far;
    ASK(cudaMemPoolSetAccess(pool, &desc, 1));
    desc.location = {cudaMemLocationTypeHost, 0};
    desc.flags = cudaMemAccessFlagsProtReadWrite;
    ASK(cudaMemPoolSetAccess(pool, &desc, 1));
}

static void set_no_list()
{
    prepare();
    ASK(cudaMemPoolSetAccess(pool, NULL, 1));
}

static void set_no_pool()
{
    prepare();
    ASK(cudaMemPoolSetAccess(NULL, &desc, 1));
}

int main()
{
    CASE(ask_nowhere);
    CASE(ask_far);
    CASE(ask_host);
    CASE(ask_no_pool);
    CASE(set);
    CASE(set_no_list);
    CASE(set_no_pool);
    return 0;
}

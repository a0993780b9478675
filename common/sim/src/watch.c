/* SPDX-License-Identifier: MIT */
/* Passes on what the runtime tells to those who watch: the checker, and the picture of a run. */
#include "check.h"

bool sim_checked;

void watch_block_new(struct sim_block *b, bool zeroed)
{
    (void)b, (void)zeroed;
}

void watch_block_free(struct sim_block *b)
{
    (void)b;
}

void watch_copy(void *dst, const void *src, size_t bytes)
{
    (void)dst, (void)src, (void)bytes;
}

void watch_write(void *dst, size_t bytes)
{
    (void)dst, (void)bytes;
}

void watch_op_submit(struct sim_op *op)
{
    (void)op;
}

void watch_op_begin(struct sim_op *op)
{
    (void)op;
}

void watch_op_end(struct sim_op *op)
{
    (void)op;
}

void watch_host_waited(struct CUstream_st *stream, unsigned long long seq)
{
    (void)stream, (void)seq;
}

void watch_host_waited_all(void)
{
}

/* SPDX-License-Identifier: MIT */
/* Links between devices, of which there is one. */
#include "probe.h"

static void links()
{
    int value = -1;
    ASK(cudaDeviceCanAccessPeer(&value, 0, 0));
    ASK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0));
    ASK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 99));
    ASK(cudaDeviceGetP2PAttribute(NULL, cudaDevP2PAttrAccessSupported, 0, 0));
    ASK(cudaDeviceGetP2PAttribute(&value, (cudaDeviceP2PAttr)99, 0, 0));
    ASK(cudaDeviceEnablePeerAccess(0, 0));
    ASK(cudaDeviceDisablePeerAccess(0));
}

int main()
{
    CASE(links);
    return 0;
}

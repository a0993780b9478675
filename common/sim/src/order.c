#include "check.h"
check_tick order_floor = 1;
bool order_before(check_tick t)
{
    (void)t;
    return true;
}
const char *order_who(check_tick t)
{
    (void)t;
    return "?";
}

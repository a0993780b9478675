# SPDX-License-Identifier: MIT
# GPU Memory Labs: the front desk. Everything built goes under build/; a new file needs no line here.

CXX      ?= g++
CFLAGS   ?= -O2 -g
WARN     := -Wall -Wextra
B        := build

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SECONDARY:
SIMCC := $B/bin/simcc
LIB   := $B/lib/libsim.a

# The simulated device: the compiler driver and the library it links.
XLATE_OBJ := $(patsubst common/sim/%.c,$B/obj/simcc/%.o,$(wildcard common/sim/*.c))
SIM_OBJ   := $(patsubst common/sim/src/%,$B/obj/sim/%.o,$(wildcard common/sim/src/*.c common/sim/src/*.S))
SIM_HDR   := $(wildcard common/sim/include/*.h common/sim/include/*.hpp common/sim/include/*/*.h)
COMPILE    = @mkdir -p $(@D); $(CC) -std=gnu11 $(CFLAGS) $(WARN) $1 -MMD -MP -MF $@.d -c $< -o $@

$B/obj/simcc/%.o: common/sim/%.c
	$(call COMPILE)
$B/obj/sim/%.o: common/sim/src/%
	$(call COMPILE,-Icommon/sim/include)
$(SIMCC): $(XLATE_OBJ)
	@mkdir -p $(@D); $(CC) $(CFLAGS) $^ -o $@
$(LIB): $(SIM_OBJ)
	@mkdir -p $(@D); rm -f $@; $(AR) rcs $@ $^

tools: $(SIMCC) $(LIB) ## build simcc and the simulated device

clean: ## remove build/
	rm -rf $B

help: ## this text
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | column -ts '	'

.PHONY: tools clean help
-include $(wildcard $B/obj/*/*.d)

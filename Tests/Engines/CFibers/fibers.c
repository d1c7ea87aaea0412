#define _GNU_SOURCE
#include "CFibers.h"
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { stack_size = 1 << 19, guard_size = 1 << 14 };

struct fiber {
  jmp_buf place;
  char *stack;
  void (*body)(void *);
  void *argument;
  bool is_new;
};

fiber *fiber_create(void) {
  fiber *created = calloc(1, sizeof *created);
  if (!created) return NULL;
  created->stack = mmap(NULL, stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (created->stack != MAP_FAILED && mprotect(created->stack, guard_size, PROT_NONE) == 0) return created;
  if (created->stack != MAP_FAILED) munmap(created->stack, stack_size);
  free(created);
  return NULL;
}

void fiber_free(fiber *freed) {
  munmap(freed->stack, stack_size);
  free(freed);
}

void fiber_prepare(fiber *prepared, void (*body)(void *), void *argument) {
  prepared->body = body;
  prepared->argument = argument;
  prepared->is_new = true;
}

/* makecontext passes numbers of type int only. */
static void enter(unsigned high, unsigned low) {
  fiber *entered = (fiber *)((uintptr_t)high << 32 | low);
  entered->body(entered->argument);
  abort();
}

void fiber_switch(fiber *from, fiber *to) {
  if (_setjmp(from->place)) return;
  if (!to->is_new) _longjmp(to->place, 1);
  to->is_new = false;
  ucontext_t context;
  getcontext(&context);
  context.uc_stack.ss_sp = to->stack + guard_size;
  context.uc_stack.ss_size = stack_size - guard_size;
  context.uc_link = NULL;
  makecontext(&context, (void (*)(void))enter, 2, (unsigned)((uintptr_t)to >> 32), (unsigned)(uintptr_t)to);
  setcontext(&context);
  abort();
}

#pragma once

/* A thread in user space: it runs only when another fiber switches to it. All fibers of a test share one thread of the
   system. */
typedef struct fiber fiber;

/* A fiber with a stack, or null if there is no memory for one. */
fiber *_Nullable fiber_create(void);
void fiber_free(fiber *_Nonnull);

/* Lets the fiber call `body` when it is next switched to. The body must not return: it switches to another fiber. */
void fiber_prepare(fiber *_Nonnull, void (*_Nonnull body)(void *_Nullable), void *_Nullable argument);

/* Begins `to`, or continues it where it last switched away. Returns when another fiber switches back to `from`. */
void fiber_switch(fiber *_Nonnull from, fiber *_Nonnull to);

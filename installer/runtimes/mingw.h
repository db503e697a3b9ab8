/* Declarations of Windows 8 that mingw-w64 10 lacks: llama.cpp asks with them that its threads are not
   moved to slow cores. */
#ifndef FIRESIDE_MINGW_H
#define FIRESIDE_MINGW_H
#include <windows.h>
#ifndef THREAD_POWER_THROTTLING_CURRENT_VERSION
#define THREAD_POWER_THROTTLING_CURRENT_VERSION 1
#define THREAD_POWER_THROTTLING_EXECUTION_SPEED 1
typedef struct {
    ULONG Version;
    ULONG ControlMask;
    ULONG StateMask;
} THREAD_POWER_THROTTLING_STATE;
#endif
#endif

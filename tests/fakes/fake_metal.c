/* A stand-in for Metal and the Objective-C runtime: one GPU that recommends 11,000 bytes. */

#include <stdint.h>
#include <string.h>

static int device, name, n_references = 0;

void *MTLCreateSystemDefaultDevice(void) {
    n_references++;
    return &device;
}

const char *sel_registerName(const char *text) { return text; }

void *objc_msgSend(void *object, const char *selector) {
    if (object == &device && !strcmp(selector, "recommendedMaxWorkingSetSize")) return (void *)(uintptr_t)11000;
    if (object == &device && !strcmp(selector, "name")) return &name;
    if (object == &name && !strcmp(selector, "UTF8String")) return "Apple M2";
    return 0;
}

void objc_release(void *object) {
    if (object == &device) n_references--;
}

int references(void) { return n_references; }

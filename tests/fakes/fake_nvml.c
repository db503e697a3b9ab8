/* A stand-in for NVIDIA's management library with two cards; what it says is in the environment. */

#include <stdlib.h>
#include <string.h>

typedef struct { char legacy[16]; unsigned domain, bus, device, id, subsystem; char bus_id[32]; } Pci;
typedef struct { unsigned long long total, free, used; } Memory;
typedef struct { unsigned version; unsigned long long total, reserved, free, used; } Memory2;
typedef struct { unsigned gpu, memory; } Utilization;

static int setting(const char *name, int otherwise) {
    const char *text = getenv(name);
    return text ? atoi(text) : otherwise;
}

int nvmlInit_v2(void) { return setting("FAKE_NVML_INIT", 0); }

int nvmlSystemGetDriverVersion(char *text, unsigned n) {
    strncpy(text, "550.54.14", n);
    return 0;
}

int nvmlDeviceGetCount_v2(unsigned *n) {
    *n = setting("FAKE_NVML_CARDS", 2);
    return setting("FAKE_NVML_COUNT", 0);
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **handle) {
    if (setting("FAKE_NVML_LOST", -1) == (int)index) return 15;
    *handle = (void *)(unsigned long)(index + 1);
    return 0;
}

int nvmlDeviceGetName(void *handle, char *text, unsigned n) {
    (void)handle;
    strncpy(text, "NVIDIA GeForce RTX 3060", n);
    return 0;
}

int nvmlDeviceGetPciInfo_v3(void *handle, Pci *pci) {
    strcpy(pci->bus_id, (unsigned long)handle == 1 ? "00000000:01:00.0" : "00000000:0A:00.0");
    return 0;
}

int nvmlDeviceGetTemperature(void *handle, int sensor, unsigned *degrees) {
    (void)sensor;
    *degrees = (unsigned long)handle == 1 ? 41 : 67;
    return 0;
}

int nvmlDeviceGetUtilizationRates(void *handle, Utilization *rates) {
    if ((unsigned long)handle != 1) return 3;
    rates->gpu = 25;
    rates->memory = 50;
    return 0;
}

int nvmlDeviceGetDisplayActive(void *handle, unsigned *active) {
    *active = (unsigned long)handle == 1;
    return 0;
}

int nvmlDeviceGetMemoryInfo(void *handle, Memory *memory) {
    (void)handle;
    memory->total = 12000;
    memory->free = 7000;
    memory->used = 5000;
    return 0;
}

#ifndef OLD
int nvmlDeviceGetMemoryInfo_v2(void *handle, Memory2 *memory) {
    (void)handle;
    if (memory->version != (sizeof(Memory2) | 2u << 24)) return 2;
    memory->total = 12000;
    memory->reserved = 300;
    memory->free = 6700;
    memory->used = 5000;
    return 0;
}
#endif

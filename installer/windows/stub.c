/* Fireside.exe: starts the version of Fireside that the file "current" beside it names, in its first line.
   Shortcuts and associations point here, so they outlive every version. "pythonw.exe" has no console.
   With IN_TREE it is bin\fireside.exe of one version, for terminals and for a trial before it is used. */
#include <stdio.h>
#include <windows.h>
#include <wchar.h>

#define LONGEST 32768

static wchar_t here[LONGEST], program[LONGEST], line[LONGEST];

#ifdef IN_TREE
static int find_program(void)
{
    *wcsrchr(here, L'\\') = 0;
    _snwprintf(program, LONGEST, L"%ls\\python.exe", here);
    return 1;
}

static int fail(const wchar_t *what)
{
    fwprintf(stderr, L"%ls\n", what);
    return 1;
}
#else
static int fail(const wchar_t *what)
{
    MessageBoxW(NULL, what, L"Fireside", MB_ICONERROR);
    return 1;
}

/* Read the first line of "current": the name of a version, in ASCII. */
static int read_version(wchar_t *version, DWORD size)
{
    char text[64];
    DWORD n = 0, i;
    _snwprintf(line, LONGEST, L"%ls\\current", here);
    HANDLE file = CreateFileW(line, GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL);
    if (file == INVALID_HANDLE_VALUE) {
        return 0;
    }
    ReadFile(file, text, sizeof text, &n, NULL);
    CloseHandle(file);
    for (i = 0; i < n && i + 1 < size && text[i] > ' ' && text[i] != '\\' && text[i] != '/'; i++) {
        version[i] = (wchar_t) text[i];
    }
    version[i] = 0;
    return i > 0;
}

static int find_program(void)
{
    wchar_t version[64];
    if (!read_version(version, 64)) {
        return 0;
    }
    _snwprintf(program, LONGEST, L"%ls\\versions\\%ls\\pythonw.exe", here, version);
    return 1;
}
#endif

int WINAPI wWinMain(HINSTANCE instance, HINSTANCE before, PWSTR words, int show)
{
    STARTUPINFOW startup = {.cb = sizeof startup};
    PROCESS_INFORMATION started;
    DWORD status = 1;

    GetModuleFileNameW(NULL, here, LONGEST);
    *wcsrchr(here, L'\\') = 0;
    if (!find_program()) {
        return fail(L"Fireside is not complete here. Install it again; your chats and settings stay.");
    }
    _snwprintf(line, LONGEST, L"\"%ls\" -I -m fireside %ls", program, words);
    if (!CreateProcessW(program, line, NULL, NULL, FALSE, 0, NULL, NULL, &startup, &started)) {
        return fail(L"This version of Fireside does not start. Install it again; your chats and settings stay.");
    }
    /* Ctrl+C is for the program alone, which ends in its own way. */
    SetConsoleCtrlHandler(NULL, TRUE);
    WaitForSingleObject(started.hProcess, INFINITE);
    GetExitCodeProcess(started.hProcess, &status);
    return (int) status;
}

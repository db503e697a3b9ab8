/* Fireside.exe: starts the version of Fireside that the file "current" beside it names, in its first line.
   Shortcuts and associations point here, so they outlive every version. "pythonw.exe" has no console. */
#include <windows.h>
#include <wchar.h>

#define LONGEST 32768

static wchar_t here[LONGEST], program[LONGEST], line[LONGEST];

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

int WINAPI wWinMain(HINSTANCE instance, HINSTANCE before, PWSTR words, int show)
{
    wchar_t version[64];
    STARTUPINFOW startup = {.cb = sizeof startup};
    PROCESS_INFORMATION started;
    DWORD status = 1;

    GetModuleFileNameW(NULL, here, LONGEST);
    *wcsrchr(here, L'\\') = 0;
    if (!read_version(version, 64)) {
        return fail(L"Fireside is not complete here. Install it again; your chats and settings stay.");
    }
    _snwprintf(program, LONGEST, L"%ls\\versions\\%ls\\pythonw.exe", here, version);
    _snwprintf(line, LONGEST, L"\"%ls\" -I -m fireside %ls", program, words);
    if (!CreateProcessW(program, line, NULL, NULL, FALSE, 0, NULL, NULL, &startup, &started)) {
        return fail(L"This version of Fireside does not start. Install it again; your chats and settings stay.");
    }
    WaitForSingleObject(started.hProcess, INFINITE);
    GetExitCodeProcess(started.hProcess, &status);
    return (int) status;
}

/* Fireside.exe: starts the version of Fireside that the file "current" beside it names, in its first line.
   One that did not open its window twice is passed over for that in its second line.
   Shortcuts and associations point here, so they outlive every version. "pythonw.exe" has no console.
   With IN_TREE it is bin\fireside.exe of one version, for terminals and for a trial before it is used. */
#include <stdio.h>
#include <windows.h>
#include <wchar.h>

#define LONGEST 32768

static wchar_t here[LONGEST], program[LONGEST], line[LONGEST];

#ifdef IN_TREE
static int find_program(int has_words)
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

/* Open a file beside this one. Others may read it, write to it and put another in its place meanwhile. */
static HANDLE open_beside(const wchar_t *name, DWORD access)
{
    const DWORD shared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    _snwprintf(line, LONGEST, L"%ls\\%ls", here, name);
    return CreateFileW(line, access, shared, NULL, OPEN_EXISTING, 0, NULL);
}

/* Copy the line of ASCII at text to version, which may hold n characters; return what follows it. */
static const char *read_line(const char *text, wchar_t *version, int n)
{
    int i = 0;
    for (; *text > ' ' && *text != '\\' && *text != '/' && i + 1 < n; text++) {
        version[i++] = (wchar_t) *text;
    }
    version[i] = 0;
    while (*text && *text != '\n') {
        text++;
    }
    return *text ? text + 1 : text;
}

static int has_version(const wchar_t *version)
{
    _snwprintf(program, LONGEST, L"%ls\\versions\\%ls\\pythonw.exe", here, version);
    return *version && GetFileAttributesW(program) != INVALID_FILE_ATTRIBUTES;
}

/* Whether the version that starts has been tried twice without opening its window. Counts this try. */
static int is_unproven(void)
{
    DWORD n = 0;
    HANDLE file = open_beside(L"unproven", GENERIC_READ | FILE_APPEND_DATA);
    if (file == INVALID_HANDLE_VALUE) {
        return 0;
    }
    int is_tried = GetFileSize(file, NULL) >= 2;
    if (!is_tried) {
        SetFilePointer(file, 0, NULL, FILE_END);
        WriteFile(file, "x", 1, &n, NULL);
    }
    CloseHandle(file);
    return is_tried;
}

/* has_words: a file was opened, or a command given, which need not open a window. */
static int find_program(int has_words)
{
    wchar_t version[64], previous[64];
    char text[256];
    DWORD n = 0;
    HANDLE file = open_beside(L"current", GENERIC_READ);
    if (file == INVALID_HANDLE_VALUE) {
        return 0;
    }
    ReadFile(file, text, sizeof text - 1, &n, NULL);
    CloseHandle(file);
    text[n] = 0;
    read_line(read_line(text, version, 64), previous, 64);
    if (has_version(previous) && (!has_version(version) || (!has_words && is_unproven()))) {
        return has_version(previous);
    }
    return has_version(version);
}
#endif

/* Have the program end with this process, also when that is ended from outside, as the Task Scheduler does.
   What the program itself starts is not tied: a newer version goes on when this one ends. */
static void tie(HANDLE process)
{
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {0};
    HANDLE job = CreateJobObjectW(NULL, NULL);
    limits.BasicLimitInformation.LimitFlags =
        JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_SILENT_BREAKAWAY_OK;
    SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    AssignProcessToJobObject(job, process);
}

int WINAPI wWinMain(HINSTANCE instance, HINSTANCE before, PWSTR words, int show)
{
    STARTUPINFOW startup = {.cb = sizeof startup};
    PROCESS_INFORMATION started;
    DWORD status = 1;

    GetModuleFileNameW(NULL, here, LONGEST);
    *wcsrchr(here, L'\\') = 0;
    if (!find_program(*words != 0)) {
        return fail(L"Fireside is not complete here. Install it again; your chats and settings stay.");
    }
    _snwprintf(line, LONGEST, L"\"%ls\" -I -m fireside %ls", program, words);
    if (!CreateProcessW(program, line, NULL, NULL, FALSE, CREATE_SUSPENDED, NULL, NULL, &startup, &started)) {
        return fail(L"This version of Fireside does not start. Install it again; your chats and settings stay.");
    }
    tie(started.hProcess);
    ResumeThread(started.hThread);
    /* Ctrl+C is for the program alone, which ends in its own way. */
    SetConsoleCtrlHandler(NULL, TRUE);
    WaitForSingleObject(started.hProcess, INFINITE);
    GetExitCodeProcess(started.hProcess, &status);
    return (int) status;
}

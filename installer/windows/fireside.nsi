; The installer for Windows: for the user who runs it, without an administrator.
; installer/release/windows.py calls makensis with VERSION, TREE, STUB and OUTPUT, and SIGN where it signs.
; /S installs without a window. Versions lie beside each other; chats and settings lie elsewhere and stay.
Unicode true
; The usual 32-bit part does nothing, without a word, where only 64-bit programs run.
Target amd64-unicode
Name "Fireside"
OutFile "${OUTPUT}"
InstallDir "$LOCALAPPDATA\Programs\Fireside"
RequestExecutionLevel user
SetCompressor /SOLID lzma
; When a file was built says nothing, and two builds are the same without it.
SetDateSave off
ShowInstDetails nevershow
!ifdef SIGN
  !uninstfinalize '"${SIGN}" "%1"' = 0
  !finalize '"${SIGN}" "%1"' = 0
!endif
Page instfiles
UninstPage uninstConfirm
UninstPage instfiles

!define CLASSES "Software\Classes"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Fireside"

Section
  ; One that was cut off is not built upon.
  RMDir /r "$INSTDIR\versions\${VERSION}"
  SetOutPath "$INSTDIR\versions\${VERSION}"
  File /r "${TREE}/*.*"
  SetOutPath "$INSTDIR"
  ; It may be running; it hardly ever changes.
  SetOverwrite try
  File "/oname=Fireside.exe" "${STUB}"
  SetOverwrite on
  FileOpen $0 "$INSTDIR\current" w
  FileWrite $0 "${VERSION}$\r$\n"
  FileClose $0
  ; What the updates of before said of their versions.
  Delete "$INSTDIR\unproven"
  Delete "$INSTDIR\failed"
  WriteUninstaller "$INSTDIR\Uninstall.exe"
  CreateShortcut "$SMPROGRAMS\Fireside.lnk" "$INSTDIR\Fireside.exe"

  WriteRegStr HKCU "${CLASSES}\Fireside.gguf" "" "Language model"
  WriteRegStr HKCU "${CLASSES}\Fireside.gguf\shell\open\command" "" '"$INSTDIR\Fireside.exe" "%1"'
  WriteRegStr HKCU "${CLASSES}\.gguf\OpenWithProgids" "Fireside.gguf" ""

  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Fireside"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "Fireside developers"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\Uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\Uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
SectionEnd

Section "Uninstall"
  RMDir /r "$INSTDIR\versions"
  RMDir /r "$INSTDIR\downloads"
  Delete "$INSTDIR\Fireside.exe"
  Delete "$INSTDIR\current"
  Delete "$INSTDIR\unproven"
  Delete "$INSTDIR\failed"
  Delete "$INSTDIR\seen.json"
  Delete "$INSTDIR\Uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Fireside.lnk"
  DeleteRegKey HKCU "${CLASSES}\Fireside.gguf"
  DeleteRegValue HKCU "${CLASSES}\.gguf\OpenWithProgids" "Fireside.gguf"
  DeleteRegKey HKCU "${UNINSTALL}"
SectionEnd

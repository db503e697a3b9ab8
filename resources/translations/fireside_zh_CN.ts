<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name></name>
    <message numerus="yes">
        <source>%n byte|%n bytes</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hour|%n hours</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n minute|%n minutes</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n second|%n seconds</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>About Fireside</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another program is holding the conversation database. Saving goes on when it lets go.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chat with language models on your own machine.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fireside cannot write to {path}: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fireside is closing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fireside is set to stay offline, so nothing was asked of the hub.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Image {number} cannot be shown to the model: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Licences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading {model} came to a standstill for {waited_s} seconds and was stopped. Is its disk still there? If it is only slow, allow a longer standstill in the settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No changes are listed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was imported from {path}: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The conversation database is damaged ({reason}). It was left untouched: {path}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The conversations could not be backed up to {path}: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The defaults are in use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The disk is full. What you see is kept in memory and saved as soon as there is room.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The earlier messages could not be summarised: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The export could not be written to {path}: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file “{name}” is not fetched: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder of the runtimes cannot be written to ({reason}): {path}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The hub does not accept your access token. It may have expired: make a new one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The hub does not allow you to read “{what}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The hub has no “{what}”, or it is private. For a private one, put your access token into the settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The hub was asked too often. It can be asked again in {when}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The last good ones are back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The list of well-known models cannot be read: {reason} Install Fireside again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The makers of {repo} ask you to accept their terms first, on {page}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model computes values that are not numbers. Its file may be damaged, or this device does not compute it rightly.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model file is no longer there: {path}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model is still answering in this chat. Stop it first, or wait until it is done.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model&apos;s own chat template does not work: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The models could not be moved to {folder}: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The process that runs models could not be started: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The setting “{name}” cannot be used: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The settings could not be saved to {path}: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The settings file could not be read ({reason}). {now}; nothing was deleted: {path}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The system&apos;s keyring did not do what it was asked: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The system&apos;s keyring is locked. Unlock it and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no model called “{name}” in your library.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no runtime called “{name}”; “fireside runtime list” names all of them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is not enough memory for {model}. A smaller context or a smaller model will fit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is not enough room in {folder}: {needed_bytes} are needed and {free_bytes} are free.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These conversations were written by a newer Fireside. Update the program to open them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This backup cannot be brought back, and nothing was changed ({reason}): {path}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This download is no longer there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is not a usable model file: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This message is damaged on the disk and cannot be shown. The others are not affected.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This message is {n_bytes} long; with this context the model can read at most {limit_bytes}. Shorten it, or give the model a larger context.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This message needs {n_prompt} tokens and the context holds {n_ctx}. Shorten it, or give the model a larger context.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This model cannot see images.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This model file could not be removed: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This model is for {is_for} and cannot {wanted}. Choose another model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This preset cannot be kept: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This system has no safe place for passwords that Fireside can use: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This text cannot be sent: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This {kind} cannot be used for the answer: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This {what} is no longer there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Version {version}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What arrived of {name} is not what the hub says it is, so it was thrown away.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What came from {host} is not what the hub answers: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is new</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a few minutes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{ask} – then put your access token into the settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host} cannot be reached: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host} has a problem at the moment (error {status}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{limit} requests are waiting already. Try again when some are done.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{model} could not be loaded: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{model} did not react for {waited_s} seconds and was stopped. Your conversation is safe.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{model} needs {needed_bytes} of memory and {available_bytes} are free. A smaller context or a smaller model will fit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{model} sent something that Fireside does not understand and was stopped: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{model} stopped unexpectedly: {cause} Your conversation is safe.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{model} stopped {n_crashes} times in a few minutes, so it is not restarted by itself. The last time: {cause}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is being fetched already, here or by another Fireside.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be checked: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be written: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{repo} has no “{wanted}”. It has: {available}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{repo} holds no model files (.gguf).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what} cannot be used: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” cannot be attached: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” is no model on the hub: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{source}” cannot be added: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>

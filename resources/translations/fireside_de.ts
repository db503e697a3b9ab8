<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name></name>
    <message numerus="yes">
        <source>%n byte|%n bytes</source>
        <translation>
            <numerusform>%n Byte</numerusform>
            <numerusform>%n Bytes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hour|%n hours</source>
        <translation>
            <numerusform>%n Stunde</numerusform>
            <numerusform>%n Stunden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n minute|%n minutes</source>
        <translation>
            <numerusform>%n Minute</numerusform>
            <numerusform>%n Minuten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n second|%n seconds</source>
        <translation>
            <numerusform>%n Sekunde</numerusform>
            <numerusform>%n Sekunden</numerusform>
        </translation>
    </message>
    <message>
        <source>About Fireside</source>
        <translation>Über Fireside</translation>
    </message>
    <message>
        <source>Another program is holding the conversation database. Saving goes on when it lets go.</source>
        <translation>Ein anderes Programm hält die Datenbank der Gespräche fest. Sobald es sie freigibt, wird weiter gespeichert.</translation>
    </message>
    <message>
        <source>Chat with language models on your own machine.</source>
        <translation>Mit Sprachmodellen auf dem eigenen Rechner sprechen.</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Fireside cannot write to {path}: {reason}</source>
        <translation>Fireside kann nicht in {path} schreiben: {reason}</translation>
    </message>
    <message>
        <source>Fireside is closing.</source>
        <translation>Fireside wird gerade beendet.</translation>
    </message>
    <message>
        <source>Fireside is set to stay offline, so nothing was asked of the hub.</source>
        <translation>Fireside soll offline bleiben, deshalb wurde der Hub nicht gefragt.</translation>
    </message>
    <message>
        <source>Image {number} cannot be shown to the model: {reason}</source>
        <translation>Bild {number} kann dem Modell nicht gezeigt werden: {reason}</translation>
    </message>
    <message>
        <source>Licences</source>
        <translation>Lizenzen</translation>
    </message>
    <message>
        <source>Loading {model} came to a standstill for {waited_s} seconds and was stopped. Is its disk still there? If it is only slow, allow a longer standstill in the settings.</source>
        <translation>Das Laden von {model} stand {waited_s} Sekunden still und wurde abgebrochen. Ist das Laufwerk noch da? Wenn es nur langsam ist, erlaube in den Einstellungen einen längeren Stillstand.</translation>
    </message>
    <message>
        <source>No changes are listed.</source>
        <translation>Es sind keine Änderungen aufgeführt.</translation>
    </message>
    <message>
        <source>Nothing was imported from {path}: {reason}</source>
        <translation>Aus {path} wurde nichts importiert: {reason}</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Anzeigen</translation>
    </message>
    <message>
        <source>The conversation database is damaged ({reason}). It was left untouched: {path}</source>
        <translation>Die Datenbank der Gespräche ist beschädigt ({reason}). Sie wurde nicht angerührt: {path}</translation>
    </message>
    <message>
        <source>The conversations could not be backed up to {path}: {reason}</source>
        <translation>Die Gespräche konnten nicht nach {path} gesichert werden: {reason}</translation>
    </message>
    <message>
        <source>The defaults are in use</source>
        <translation>Es gelten die Vorgaben</translation>
    </message>
    <message>
        <source>The disk is full. What you see is kept in memory and saved as soon as there is room.</source>
        <translation>Das Laufwerk ist voll. Was du siehst, bleibt im Arbeitsspeicher und wird gespeichert, sobald Platz ist.</translation>
    </message>
    <message>
        <source>The earlier messages could not be summarised: {reason}</source>
        <translation>Die früheren Nachrichten konnten nicht zusammengefasst werden: {reason}</translation>
    </message>
    <message>
        <source>The export could not be written to {path}: {reason}</source>
        <translation>Der Export konnte nicht nach {path} geschrieben werden: {reason}</translation>
    </message>
    <message>
        <source>The file “{name}” is not fetched: {reason}</source>
        <translation>Die Datei „{name}“ wird nicht geholt: {reason}</translation>
    </message>
    <message>
        <source>The folder of the runtimes cannot be written to ({reason}): {path}</source>
        <translation>In den Ordner der Laufzeiten kann nicht geschrieben werden ({reason}): {path}</translation>
    </message>
    <message>
        <source>The hub does not accept your access token. It may have expired: make a new one.</source>
        <translation>Der Hub nimmt dein Zugriffstoken nicht an. Vielleicht ist es abgelaufen: Lege ein neues an.</translation>
    </message>
    <message>
        <source>The hub does not allow you to read “{what}”.</source>
        <translation>Der Hub erlaubt dir nicht, „{what}“ zu lesen.</translation>
    </message>
    <message>
        <source>The hub has no “{what}”, or it is private. For a private one, put your access token into the settings.</source>
        <translation>Auf dem Hub gibt es „{what}“ nicht, oder es ist privat. Für Privates trage dein Zugriffstoken in den Einstellungen ein.</translation>
    </message>
    <message>
        <source>The hub was asked too often. It can be asked again in {when}.</source>
        <translation>Der Hub wurde zu oft gefragt. In {when} kann er wieder gefragt werden.</translation>
    </message>
    <message>
        <source>The last good ones are back</source>
        <translation>Die letzten brauchbaren sind wieder da</translation>
    </message>
    <message>
        <source>The list of well-known models cannot be read: {reason} Install Fireside again.</source>
        <translation>Die Liste bekannter Modelle ist nicht lesbar: {reason} Installiere Fireside neu.</translation>
    </message>
    <message>
        <source>The makers of {repo} ask you to accept their terms first, on {page}</source>
        <translation>Wer {repo} anbietet, möchte, dass du zuerst die Bedingungen annimmst: {page}</translation>
    </message>
    <message>
        <source>The model computes values that are not numbers. Its file may be damaged, or this device does not compute it rightly.</source>
        <translation>Das Modell berechnet Werte, die keine Zahlen sind. Vielleicht ist die Datei beschädigt, oder dieses Gerät rechnet damit falsch.</translation>
    </message>
    <message>
        <source>The model file is no longer there: {path}</source>
        <translation>Die Modelldatei ist nicht mehr da: {path}</translation>
    </message>
    <message>
        <source>The model is still answering in this chat. Stop it first, or wait until it is done.</source>
        <translation>Das Modell antwortet in diesem Chat noch. Halte es erst an, oder warte, bis es fertig ist.</translation>
    </message>
    <message>
        <source>The model&apos;s own chat template does not work: {reason}</source>
        <translation>Die Chat-Vorlage des Modells funktioniert nicht: {reason}</translation>
    </message>
    <message>
        <source>The models could not be moved to {folder}: {reason}</source>
        <translation>Die Modelle konnten nicht nach {folder} verschoben werden: {reason}</translation>
    </message>
    <message>
        <source>The process that runs models could not be started: {reason}</source>
        <translation>Der Prozess, in dem Modelle laufen, konnte nicht gestartet werden: {reason}</translation>
    </message>
    <message>
        <source>The setting “{name}” cannot be used: {reason}</source>
        <translation>Die Einstellung „{name}“ ist nicht verwendbar: {reason}</translation>
    </message>
    <message>
        <source>The settings could not be saved to {path}: {reason}</source>
        <translation>Die Einstellungen konnten nicht in {path} gespeichert werden: {reason}</translation>
    </message>
    <message>
        <source>The settings file could not be read ({reason}). {now}; nothing was deleted: {path}</source>
        <translation>Die Einstellungsdatei war nicht lesbar ({reason}). {now}; gelöscht wurde nichts: {path}</translation>
    </message>
    <message>
        <source>The system&apos;s keyring did not do what it was asked: {reason}</source>
        <translation>Der Schlüsselbund des Systems tat nicht, worum er gebeten wurde: {reason}</translation>
    </message>
    <message>
        <source>The system&apos;s keyring is locked. Unlock it and try again.</source>
        <translation>Der Schlüsselbund des Systems ist gesperrt. Entsperre ihn und versuche es noch einmal.</translation>
    </message>
    <message>
        <source>There is no model called “{name}” in your library.</source>
        <translation>In deiner Bibliothek gibt es kein Modell namens „{name}“.</translation>
    </message>
    <message>
        <source>There is no runtime called “{name}”; “fireside runtime list” names all of them.</source>
        <translation>Es gibt keine Laufzeit namens „{name}“; „fireside runtime list“ nennt alle.</translation>
    </message>
    <message>
        <source>There is not enough memory for {model}. A smaller context or a smaller model will fit.</source>
        <translation>Für {model} reicht der Speicher nicht. Ein kleinerer Kontext oder ein kleineres Modell passt.</translation>
    </message>
    <message>
        <source>There is not enough room in {folder}: {needed_bytes} are needed and {free_bytes} are free.</source>
        <translation>In {folder} ist nicht genug Platz: {needed_bytes} werden gebraucht, {free_bytes} sind frei.</translation>
    </message>
    <message>
        <source>These conversations were written by a newer Fireside. Update the program to open them.</source>
        <translation>Diese Gespräche hat ein neueres Fireside geschrieben. Aktualisiere das Programm, um sie zu öffnen.</translation>
    </message>
    <message>
        <source>This backup cannot be brought back, and nothing was changed ({reason}): {path}</source>
        <translation>Diese Sicherung lässt sich nicht zurückholen, und nichts wurde geändert ({reason}): {path}</translation>
    </message>
    <message>
        <source>This download is no longer there.</source>
        <translation>Diesen Download gibt es nicht mehr.</translation>
    </message>
    <message>
        <source>This is not a usable model file: {reason}</source>
        <translation>Das ist keine brauchbare Modelldatei: {reason}</translation>
    </message>
    <message>
        <source>This message is damaged on the disk and cannot be shown. The others are not affected.</source>
        <translation>Diese Nachricht ist auf dem Laufwerk beschädigt und kann nicht angezeigt werden. Die anderen sind nicht betroffen.</translation>
    </message>
    <message>
        <source>This message is {n_bytes} long; with this context the model can read at most {limit_bytes}. Shorten it, or give the model a larger context.</source>
        <translation>Diese Nachricht ist {n_bytes} lang; bei diesem Kontext kann das Modell höchstens {limit_bytes} lesen. Kürze sie, oder gib dem Modell einen größeren Kontext.</translation>
    </message>
    <message>
        <source>This message needs {n_prompt} tokens and the context holds {n_ctx}. Shorten it, or give the model a larger context.</source>
        <translation>Diese Nachricht braucht {n_prompt} Token, der Kontext fasst {n_ctx}. Kürze sie, oder gib dem Modell einen größeren Kontext.</translation>
    </message>
    <message>
        <source>This model cannot see images.</source>
        <translation>Dieses Modell kann keine Bilder sehen.</translation>
    </message>
    <message>
        <source>This model file could not be removed: {reason}</source>
        <translation>Diese Modelldatei konnte nicht entfernt werden: {reason}</translation>
    </message>
    <message>
        <source>This model is for {is_for} and cannot {wanted}. Choose another model.</source>
        <translation>Dieses Modell ist für „{is_for}“ gemacht und kann nicht „{wanted}“. Wähle ein anderes Modell.</translation>
    </message>
    <message>
        <source>This preset cannot be kept: {reason}</source>
        <translation>Diese Voreinstellung kann nicht behalten werden: {reason}</translation>
    </message>
    <message>
        <source>This system has no safe place for passwords that Fireside can use: {reason}</source>
        <translation>Dieses System hat keinen sicheren Ort für Kennwörter, den Fireside nutzen kann: {reason}</translation>
    </message>
    <message>
        <source>This text cannot be sent: {reason}</source>
        <translation>Dieser Text kann nicht gesendet werden: {reason}</translation>
    </message>
    <message>
        <source>This {kind} cannot be used for the answer: {reason}</source>
        <translation>Als Regel für die Antwort nicht verwendbar ({kind}): {reason}</translation>
    </message>
    <message>
        <source>This {what} is no longer there.</source>
        <translation>Nicht mehr vorhanden: {what}.</translation>
    </message>
    <message>
        <source>Version {version}</source>
        <translation>Version {version}</translation>
    </message>
    <message>
        <source>What arrived of {name} is not what the hub says it is, so it was thrown away.</source>
        <translation>Was von {name} ankam, ist nicht das, was der Hub angibt; es wurde verworfen.</translation>
    </message>
    <message>
        <source>What came from {host} is not what the hub answers: {reason}</source>
        <translation>Was von {host} kam, ist keine Antwort des Hubs: {reason}</translation>
    </message>
    <message>
        <source>What is new</source>
        <translation>Neuigkeiten</translation>
    </message>
    <message>
        <source>a few minutes</source>
        <translation>ein paar Minuten</translation>
    </message>
    <message>
        <source>{ask} – then put your access token into the settings.</source>
        <translation>{ask} – trage dann dein Zugriffstoken in den Einstellungen ein.</translation>
    </message>
    <message>
        <source>{host} cannot be reached: {reason}</source>
        <translation>{host} ist nicht erreichbar: {reason}</translation>
    </message>
    <message>
        <source>{host} has a problem at the moment (error {status}).</source>
        <translation>{host} hat im Moment ein Problem (Fehler {status}).</translation>
    </message>
    <message>
        <source>{limit} requests are waiting already. Try again when some are done.</source>
        <translation>Es warten schon {limit} Anfragen. Versuche es wieder, wenn einige erledigt sind.</translation>
    </message>
    <message>
        <source>{model} could not be loaded: {reason}</source>
        <translation>{model} konnte nicht geladen werden: {reason}</translation>
    </message>
    <message>
        <source>{model} did not react for {waited_s} seconds and was stopped. Your conversation is safe.</source>
        <translation>{model} reagierte {waited_s} Sekunden lang nicht und wurde angehalten. Dein Gespräch ist sicher.</translation>
    </message>
    <message>
        <source>{model} needs {needed_bytes} of memory and {available_bytes} are free. A smaller context or a smaller model will fit.</source>
        <translation>{model} braucht {needed_bytes} Speicher, {available_bytes} sind frei. Ein kleinerer Kontext oder ein kleineres Modell passt.</translation>
    </message>
    <message>
        <source>{model} sent something that Fireside does not understand and was stopped: {reason}</source>
        <translation>{model} sendete etwas, das Fireside nicht versteht, und wurde angehalten: {reason}</translation>
    </message>
    <message>
        <source>{model} stopped unexpectedly: {cause} Your conversation is safe.</source>
        <translation>{model} hielt unerwartet an: {cause} Dein Gespräch ist sicher.</translation>
    </message>
    <message>
        <source>{model} stopped {n_crashes} times in a few minutes, so it is not restarted by itself. The last time: {cause}</source>
        <translation>{model} hielt in wenigen Minuten {n_crashes}-mal an und wird deshalb nicht von selbst neu gestartet. Zuletzt: {cause}</translation>
    </message>
    <message>
        <source>{name} is being fetched already, here or by another Fireside.</source>
        <translation>{name} wird schon geholt, hier oder von einem anderen Fireside.</translation>
    </message>
    <message>
        <source>{path} cannot be checked: {reason}</source>
        <translation>{path} kann nicht geprüft werden: {reason}</translation>
    </message>
    <message>
        <source>{path} cannot be written: {reason}</source>
        <translation>{path} kann nicht geschrieben werden: {reason}</translation>
    </message>
    <message>
        <source>{repo} has no “{wanted}”. It has: {available}.</source>
        <translation>{repo} hat kein „{wanted}“. Vorhanden: {available}.</translation>
    </message>
    <message>
        <source>{repo} holds no model files (.gguf).</source>
        <translation>{repo} enthält keine Modelldateien (.gguf).</translation>
    </message>
    <message>
        <source>{what} cannot be used: {reason}</source>
        <translation>{what} ist nicht verwendbar: {reason}</translation>
    </message>
    <message>
        <source>“{name}” cannot be attached: {reason}</source>
        <translation>„{name}“ kann nicht angehängt werden: {reason}</translation>
    </message>
    <message>
        <source>“{name}” is no model on the hub: {reason}</source>
        <translation>„{name}“ ist kein Modell auf dem Hub: {reason}</translation>
    </message>
    <message>
        <source>“{source}” cannot be added: {reason}</source>
        <translation>„{source}“ kann nicht hinzugefügt werden: {reason}</translation>
    </message>
</context>
</TS>

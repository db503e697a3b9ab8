<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name></name>
    <message>
        <source> and </source>
        <translation> und </translation>
    </message>
    <message>
        <source> or </source>
        <translation> oder </translation>
    </message>
    <message numerus="yes">
        <source>%n GPU|%n GPUs</source>
        <translation>
            <numerusform>%n GPU</numerusform>
            <numerusform>%n GPUs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n active, {percent}%|%n active, {percent}%</source>
        <comment>downloads</comment>
        <translation>
            <numerusform>%n aktiv, {percent} %</numerusform>
            <numerusform>%n aktiv, {percent} %</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n active|%n active</source>
        <comment>downloads</comment>
        <translation>
            <numerusform>%n aktiv</numerusform>
            <numerusform>%n aktiv</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n ahead|%n ahead</source>
        <translation>
            <numerusform>%n davor</numerusform>
            <numerusform>%n davor</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n already existed.|%n already existed.</source>
        <translation>
            <numerusform>%n schon vorhanden.</numerusform>
            <numerusform>%n schon vorhanden.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n byte|%n bytes</source>
        <translation>
            <numerusform>%n Byte</numerusform>
            <numerusform>%n Bytes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cached|%n cached</source>
        <translation>
            <numerusform>%n im Cache</numerusform>
            <numerusform>%n im Cache</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cannot be read|%n cannot be read</source>
        <translation>
            <numerusform>%n nicht lesbar</numerusform>
            <numerusform>%n nicht lesbar</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n character|%n characters</source>
        <translation>
            <numerusform>%n Zeichen</numerusform>
            <numerusform>%n Zeichen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat exported.|%n chats exported.</source>
        <translation>
            <numerusform>%n Chat exportiert.</numerusform>
            <numerusform>%n Chats exportiert.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat got new messages.|%n chats got new messages.</source>
        <translation>
            <numerusform>%n Chat hat neue Nachrichten bekommen.</numerusform>
            <numerusform>%n Chats haben neue Nachrichten bekommen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat imported.|%n chats imported.</source>
        <translation>
            <numerusform>%n Chat importiert.</numerusform>
            <numerusform>%n Chats importiert.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat so far|%n chats so far</source>
        <translation>
            <numerusform>Bisher %n Chat</numerusform>
            <numerusform>Bisher %n Chats</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat was not exported:|%n chats were not exported:</source>
        <translation>
            <numerusform>%n Chat wurde nicht exportiert:</numerusform>
            <numerusform>%n Chats wurden nicht exportiert:</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat|%n chats</source>
        <translation>
            <numerusform>%n Chat</numerusform>
            <numerusform>%n Chats</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat|%n chats</source>
        <comment>in so many of them</comment>
        <translation>
            <numerusform>%n Chat</numerusform>
            <numerusform>%n Chats</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n collection|%n collections</source>
        <translation>
            <numerusform>%n Sammlung</numerusform>
            <numerusform>%n Sammlungen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n column|%n columns</source>
        <translation>
            <numerusform>%n Spalte</numerusform>
            <numerusform>%n Spalten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n connection|%n connections</source>
        <translation>
            <numerusform>%n Verbindung</numerusform>
            <numerusform>%n Verbindungen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n core|%n cores</source>
        <translation>
            <numerusform>%n Kern</numerusform>
            <numerusform>%n Kerne</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n day ago|%n days ago</source>
        <translation>
            <numerusform>vor %n Tag</numerusform>
            <numerusform>vor %n Tagen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n download this month|%n downloads this month</source>
        <translation>
            <numerusform>%n Download in diesem Monat</numerusform>
            <numerusform>%n Downloads in diesem Monat</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n existing chat skipped.|%n existing chats skipped.</source>
        <translation>
            <numerusform>%n vorhandener Chat übersprungen.</numerusform>
            <numerusform>%n vorhandene Chats übersprungen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n fact is known in the chats of this project, where “Remember facts” is on.|%n facts are known in the chats of this project, where “Remember facts” is on.</source>
        <translation>
            <numerusform>%n Angabe ist in den Chats dieses Projekts bekannt, wo „Angaben merken“ an ist.</numerusform>
            <numerusform>%n Angaben sind in den Chats dieses Projekts bekannt, wo „Angaben merken“ an ist.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n fact|%n facts</source>
        <translation>
            <numerusform>%n Angabe</numerusform>
            <numerusform>%n Angaben</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n failed|%n failed</source>
        <translation>
            <numerusform>%n fehlgeschlagen</numerusform>
            <numerusform>%n fehlgeschlagen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n failed|%n failed</source>
        <comment>downloads</comment>
        <translation>
            <numerusform>%n gescheitert</numerusform>
            <numerusform>%n gescheitert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file is unreadable or not indexed yet and is left out|%n files are unreadable or not indexed yet and are left out</source>
        <translation>
            <numerusform>%n Datei ist unlesbar oder noch nicht indiziert und wird ausgelassen</numerusform>
            <numerusform>%n Dateien sind unlesbar oder noch nicht indiziert und werden ausgelassen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file|%n files</source>
        <translation>
            <numerusform>%n Datei</numerusform>
            <numerusform>%n Dateien</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n folder|%n folders</source>
        <comment>in so many of them</comment>
        <translation>
            <numerusform>%n Ordner</numerusform>
            <numerusform>%n Ordnern</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n from RAM|%n from RAM</source>
        <translation>
            <numerusform>%n aus dem RAM</numerusform>
            <numerusform>%n aus dem RAM</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n from disk|%n from disk</source>
        <translation>
            <numerusform>%n vom Datenträger</numerusform>
            <numerusform>%n vom Datenträger</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hour ago|%n hours ago</source>
        <translation>
            <numerusform>vor %n Stunde</numerusform>
            <numerusform>vor %n Stunden</numerusform>
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
        <source>%n in the context|%n in the context</source>
        <translation>
            <numerusform>%n im Kontext</numerusform>
            <numerusform>%n im Kontext</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n incomplete|%n incomplete</source>
        <translation>
            <numerusform>%n unvollständig</numerusform>
            <numerusform>%n unvollständig</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n layer on the GPU|%n layers on the GPU</source>
        <translation>
            <numerusform>%n Schicht auf der GPU</numerusform>
            <numerusform>%n Schichten auf der GPU</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n like|%n likes</source>
        <translation>
            <numerusform>%n Like</numerusform>
            <numerusform>%n Likes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message in {chats}|%n messages in {chats}</source>
        <translation>
            <numerusform>%n Nachricht in {chats}</numerusform>
            <numerusform>%n Nachrichten in {chats}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message summarised|%n messages summarised</source>
        <translation>
            <numerusform>%n Nachricht zusammengefasst</numerusform>
            <numerusform>%n Nachrichten zusammengefasst</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n minute ago|%n minutes ago</source>
        <translation>
            <numerusform>vor %n Minute</numerusform>
            <numerusform>vor %n Minuten</numerusform>
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
        <source>%n model, {size} in {folders}.|%n models, {size} in {folders}.</source>
        <translation>
            <numerusform>%n Modell, {size} in {folders}.</numerusform>
            <numerusform>%n Modelle, {size} in {folders}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n model|%n models</source>
        <translation>
            <numerusform>%n Modell</numerusform>
            <numerusform>%n Modelle</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n month ago|%n months ago</source>
        <translation>
            <numerusform>vor %n Monat</numerusform>
            <numerusform>vor %n Monaten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more character|%n more characters</source>
        <translation>
            <numerusform>%n weiteres Zeichen</numerusform>
            <numerusform>%n weitere Zeichen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more error|%n more errors</source>
        <translation>
            <numerusform>%n weiterer Fehler</numerusform>
            <numerusform>%n weitere Fehler</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more in “All chats”|%n more in “All chats”</source>
        <translation>
            <numerusform>%n weitere unter „Alle Chats“</numerusform>
            <numerusform>%n weitere unter „Alle Chats“</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more line: too many for slides. A Word document has all.|%n more lines: too many for slides. A Word document has all.</source>
        <translation>
            <numerusform>%n weitere Zeile: zu viele für Folien. Ein Word-Dokument enthält alle.</numerusform>
            <numerusform>%n weitere Zeilen: zu viele für Folien. Ein Word-Dokument enthält alle.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more message|%n more messages</source>
        <translation>
            <numerusform>%n weitere Nachricht</numerusform>
            <numerusform>%n weitere Nachrichten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more sent|%n more sent</source>
        <translation>
            <numerusform>%n weitere gesendet</numerusform>
            <numerusform>%n weitere gesendet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more trial skipped (time limit).|%n more trials skipped (time limit).</source>
        <translation>
            <numerusform>%n weiterer Versuch übersprungen (Zeitlimit).</numerusform>
            <numerusform>%n weitere Versuche übersprungen (Zeitlimit).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n needs speech recognition|%n need speech recognition</source>
        <translation>
            <numerusform>%n braucht Spracherkennung</numerusform>
            <numerusform>%n brauchen Spracherkennung</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n offline|%n offline</source>
        <translation>
            <numerusform>%n offline</numerusform>
            <numerusform>%n offline</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n page read by {model}|%n pages read by {model}</source>
        <translation>
            <numerusform>%n Seite gelesen von {model}</numerusform>
            <numerusform>%n Seiten gelesen von {model}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n page|%n pages</source>
        <translation>
            <numerusform>%n Seite</numerusform>
            <numerusform>%n Seiten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n parallel request|%n parallel requests</source>
        <translation>
            <numerusform>%n parallele Anfrage</numerusform>
            <numerusform>%n parallele Anfragen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n part not understood, left out|%n parts not understood, left out</source>
        <translation>
            <numerusform>%n Teil nicht verstanden, weggelassen</numerusform>
            <numerusform>%n Teile nicht verstanden, weggelassen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n passage|%n passages</source>
        <translation>
            <numerusform>%n Textstelle</numerusform>
            <numerusform>%n Textstellen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n paused|%n paused</source>
        <comment>downloads</comment>
        <translation>
            <numerusform>%n pausiert</numerusform>
            <numerusform>%n pausiert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pinned message|%n pinned messages</source>
        <translation>
            <numerusform>%n angeheftete Nachricht</numerusform>
            <numerusform>%n angeheftete Nachrichten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n preset added.|%n presets added.</source>
        <translation>
            <numerusform>%n Preset hinzugefügt.</numerusform>
            <numerusform>%n Presets hinzugefügt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n preset exported|%n presets exported</source>
        <translation>
            <numerusform>%n Preset exportiert</numerusform>
            <numerusform>%n Presets exportiert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n project|%n projects</source>
        <translation>
            <numerusform>%n Projekt</numerusform>
            <numerusform>%n Projekte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n prompt thread|%n prompt threads</source>
        <translation>
            <numerusform>%n Prompt-Thread</numerusform>
            <numerusform>%n Prompt-Threads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n queued message – not sent|%n queued messages – not sent</source>
        <translation>
            <numerusform>%n Nachricht in der Warteschlange – nicht gesendet</numerusform>
            <numerusform>%n Nachrichten in der Warteschlange – nicht gesendet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n queued message|%n queued messages</source>
        <translation>
            <numerusform>%n Nachricht in der Warteschlange</numerusform>
            <numerusform>%n Nachrichten in der Warteschlange</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n queued|%n queued</source>
        <comment>downloads</comment>
        <translation>
            <numerusform>%n in Warteschlange</numerusform>
            <numerusform>%n in Warteschlange</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n quotation is not word for word|%n quotations are not word for word</source>
        <translation>
            <numerusform>%n Zitat ist nicht wörtlich</numerusform>
            <numerusform>%n Zitate sind nicht wörtlich</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n read in part|%n read in part</source>
        <translation>
            <numerusform>%n teilweise gelesen</numerusform>
            <numerusform>%n teilweise gelesen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n remembered fact of the project|%n remembered facts of the project</source>
        <translation>
            <numerusform>%n gemerkte Angabe des Projekts</numerusform>
            <numerusform>%n gemerkte Angaben des Projekts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n remembered fact went with it|%n remembered facts went with it</source>
        <translation>
            <numerusform>%n gemerkte Angabe wurde mitgelöscht</numerusform>
            <numerusform>%n gemerkte Angaben wurden mitgelöscht</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n request running|%n requests running</source>
        <translation>
            <numerusform>%n Anfrage läuft</numerusform>
            <numerusform>%n Anfragen laufen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n restored|%n restored</source>
        <translation>
            <numerusform>%n wiederhergestellt</numerusform>
            <numerusform>%n wiederhergestellt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n row|%n rows</source>
        <translation>
            <numerusform>%n Zeile</numerusform>
            <numerusform>%n Zeilen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n second|%n seconds</source>
        <translation>
            <numerusform>%n Sekunde</numerusform>
            <numerusform>%n Sekunden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n setting|%n settings</source>
        <translation>
            <numerusform>%n Einstellung</numerusform>
            <numerusform>%n Einstellungen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n size|%n sizes</source>
        <translation>
            <numerusform>%n Größe</numerusform>
            <numerusform>%n Größen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensor|%n tensors</source>
        <translation>
            <numerusform>%n Tensor</numerusform>
            <numerusform>%n Tensoren</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thread|%n threads</source>
        <translation>
            <numerusform>%n Thread</numerusform>
            <numerusform>%n Threads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thread|%n threads</source>
        <comment>of a processor</comment>
        <translation>
            <numerusform>%n Thread</numerusform>
            <numerusform>%n Threads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token of each prompt|%n tokens of each prompt</source>
        <translation>
            <numerusform>%n Token jedes Prompts</numerusform>
            <numerusform>%n Tokens jedes Prompts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token · perplexity {perplexity} (like choosing among {likely} equally likely tokens)|%n tokens · perplexity {perplexity} (like choosing among {likely} equally likely tokens)</source>
        <translation>
            <numerusform>%n Token · Perplexität {perplexity} (wie eine Wahl unter {likely} gleich wahrscheinlichen Tokens)</numerusform>
            <numerusform>%n Tokens · Perplexität {perplexity} (wie eine Wahl unter {likely} gleich wahrscheinlichen Tokens)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token, including {special} template tokens|%n tokens, including {special} template tokens</source>
        <translation>
            <numerusform>%n Token, davon {special} Vorlagen-Tokens</numerusform>
            <numerusform>%n Tokens, davon {special} Vorlagen-Tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token, {pages}|%n tokens, {pages}</source>
        <translation>
            <numerusform>%n Token, {pages}</numerusform>
            <numerusform>%n Tokens, {pages}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token|%n tokens</source>
        <translation>
            <numerusform>%n Token</numerusform>
            <numerusform>%n Tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n waiting|%n waiting</source>
        <comment>downloads</comment>
        <translation>
            <numerusform>%n wartet</numerusform>
            <numerusform>%n warten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n week ago|%n weeks ago</source>
        <translation>
            <numerusform>vor %n Woche</numerusform>
            <numerusform>vor %n Wochen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n without text|%n without text</source>
        <translation>
            <numerusform>%n ohne Text</numerusform>
            <numerusform>%n ohne Text</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n year ago|%n years ago</source>
        <translation>
            <numerusform>vor %n Jahr</numerusform>
            <numerusform>vor %n Jahren</numerusform>
        </translation>
    </message>
    <message>
        <source>(link blocked: {url})</source>
        <translation>(Link blockiert: {url})</translation>
    </message>
    <message numerus="yes">
        <source>1 branch|%n branches · Enter to open</source>
        <translation>
            <numerusform>1 Zweig</numerusform>
            <numerusform>%n Zweige · Enter öffnet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>1 damaged message was replaced by a note.|%n damaged messages were replaced by notes.</source>
        <translation>
            <numerusform>1 beschädigte Nachricht wurde durch einen Hinweis ersetzt.</numerusform>
            <numerusform>%n beschädigte Nachrichten wurden durch Hinweise ersetzt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>1 document added.|%n documents added.</source>
        <translation>
            <numerusform>1 Dokument hinzugefügt.</numerusform>
            <numerusform>%n Dokumente hinzugefügt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>1 fact of it waits for you on its page.|%n facts of it wait for you on its page.</source>
        <translation>
            <numerusform>1 Angabe daraus ist noch auf der Seite des Projekts zu bestätigen.</numerusform>
            <numerusform>%n Angaben daraus sind noch auf der Seite des Projekts zu bestätigen.</numerusform>
        </translation>
    </message>
    <message>
        <source>1 hour</source>
        <translation>1 Stunde</translation>
    </message>
    <message numerus="yes">
        <source>1 model added|%n models added</source>
        <translation>
            <numerusform>1 Modell hinzugefügt</numerusform>
            <numerusform>%n Modelle hinzugefügt</numerusform>
        </translation>
    </message>
    <message>
        <source>1 parallel request</source>
        <translation>1 parallele Anfrage</translation>
    </message>
    <message numerus="yes">
        <source>1 update available|%n updates available</source>
        <translation>
            <numerusform>1 Update verfügbar</numerusform>
            <numerusform>%n Updates verfügbar</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>1 value could not be read: {place}|%n values could not be read, the first: {place}</source>
        <translation>
            <numerusform>%n Wert war nicht lesbar: {place}</numerusform>
            <numerusform>%n Werte waren nicht lesbar, der erste: {place}</numerusform>
        </translation>
    </message>
    <message>
        <source>1-bit, tiny, major quality loss</source>
        <translation>1 Bit, winzig, starker Qualitätsverlust</translation>
    </message>
    <message>
        <source>12 months</source>
        <translation>12 Monate</translation>
    </message>
    <message>
        <source>15 minutes</source>
        <translation>15 Minuten</translation>
    </message>
    <message>
        <source>16-bit</source>
        <translation>16 Bit</translation>
    </message>
    <message>
        <source>16-bit, full quality, large</source>
        <translation>16 Bit, volle Qualität, groß</translation>
    </message>
    <message>
        <source>16B to 36B</source>
        <translation>16B bis 36B</translation>
    </message>
    <message>
        <source>2-bit, very small, major quality loss</source>
        <translation>2 Bit, sehr klein, starker Qualitätsverlust</translation>
    </message>
    <message>
        <source>20–50%</source>
        <translation>20–50 %</translation>
    </message>
    <message>
        <source>25 languages of Europe, quick and with few mistakes.</source>
        <translation>25 Sprachen Europas, schnell und fast fehlerfrei.</translation>
    </message>
    <message>
        <source>25% of layers on the GPU</source>
        <translation>25 % der Schichten auf der GPU</translation>
    </message>
    <message>
        <source>3-bit, small, some quality loss</source>
        <translation>3 Bit, klein, etwas Qualitätsverlust</translation>
    </message>
    <message>
        <source>30 days</source>
        <translation>30 Tage</translation>
    </message>
    <message>
        <source>32-bit</source>
        <translation>32 Bit</translation>
    </message>
    <message>
        <source>32-bit, full quality, very large</source>
        <translation>32 Bit, volle Qualität, sehr groß</translation>
    </message>
    <message>
        <source>33% of layers on the GPU</source>
        <translation>33 % der Schichten auf der GPU</translation>
    </message>
    <message>
        <source>36B to 80B</source>
        <translation>36B bis 80B</translation>
    </message>
    <message>
        <source>3B to 9B</source>
        <translation>3B bis 9B</translation>
    </message>
    <message>
        <source>4-bit</source>
        <translation>4 Bit</translation>
    </message>
    <message>
        <source>4-bit, good balance</source>
        <translation>4 Bit, ausgewogen</translation>
    </message>
    <message>
        <source>5 minutes</source>
        <translation>5 Minuten</translation>
    </message>
    <message>
        <source>5-bit</source>
        <translation>5 Bit</translation>
    </message>
    <message>
        <source>5-bit, close to full quality</source>
        <translation>5 Bit, fast volle Qualität</translation>
    </message>
    <message>
        <source>50% of layers on the GPU</source>
        <translation>50 % der Schichten auf der GPU</translation>
    </message>
    <message>
        <source>50–90%</source>
        <translation>50–90 %</translation>
    </message>
    <message>
        <source>5–20%</source>
        <translation>5–20 %</translation>
    </message>
    <message>
        <source>6-bit, very close to full quality</source>
        <translation>6 Bit, sehr nah an voller Qualität</translation>
    </message>
    <message>
        <source>60 questions, and up to 200 of each file that you add: MMLU, ARC, HellaSwag, GSM8K or TruthfulQA as JSON or CSV. Takes some minutes a model.</source>
        <translation>60 Fragen, und bis zu 200 aus jeder Datei, die du hinzufügst: MMLU, ARC, HellaSwag, GSM8K oder TruthfulQA als JSON oder CSV. Dauert einige Minuten je Modell.</translation>
    </message>
    <message>
        <source>7 days</source>
        <translation>7 Tage</translation>
    </message>
    <message>
        <source>75% of layers on the GPU</source>
        <translation>75 % der Schichten auf der GPU</translation>
    </message>
    <message>
        <source>8-bit</source>
        <translation>8 Bit</translation>
    </message>
    <message>
        <source>8-bit KV cache (slightly less accurate)</source>
        <translation>8-Bit-KV-Cache (etwas ungenauer)</translation>
    </message>
    <message>
        <source>8-bit, nearly lossless</source>
        <translation>8 Bit, nahezu verlustfrei</translation>
    </message>
    <message>
        <source>90% or more</source>
        <translation>90 % oder mehr</translation>
    </message>
    <message>
        <source>9B to 16B</source>
        <translation>9B bis 16B</translation>
    </message>
    <message>
        <source>A German voice, quick on any computer. Needs espeak-ng.</source>
        <translation>Eine deutsche Stimme, schnell auf jedem Computer. Braucht espeak-ng.</translation>
    </message>
    <message>
        <source>A JSON object.</source>
        <translation>Ein JSON-Objekt.</translation>
    </message>
    <message>
        <source>A SearXNG server that answers in JSON, such as http://localhost:8888.</source>
        <translation>Ein SearXNG-Server, der in JSON antwortet, etwa http://localhost:8888.</translation>
    </message>
    <message>
        <source>A URL, or the link of another Fireside</source>
        <translation>Eine URL oder der Link eines anderen Fireside</translation>
    </message>
    <message>
        <source>A benchmark is already running. Wait or cancel it.</source>
        <translation>Es läuft schon ein Benchmark. Warte oder brich ihn ab.</translation>
    </message>
    <message>
        <source>A birthday party for an eight-year-old</source>
        <translation>Eine Geburtstagsfeier für eine Achtjährige</translation>
    </message>
    <message>
        <source>A certificate fingerprint (SHA-256) has 64 hexadecimal digits.</source>
        <translation>Ein Zertifikat-Fingerabdruck (SHA-256) hat 64 hexadezimale Ziffern.</translation>
    </message>
    <message>
        <source>A date</source>
        <translation>Ein Datum</translation>
    </message>
    <message>
        <source>A fact has 1 to {number} characters.</source>
        <translation>Eine Angabe hat 1 bis {number} Zeichen.</translation>
    </message>
    <message>
        <source>A formula.</source>
        <translation>Eine Formel.</translation>
    </message>
    <message>
        <source>A grammar in Lark notation.</source>
        <translation>Eine Grammatik in Lark-Notation.</translation>
    </message>
    <message>
        <source>A grammar in llama.cpp’s GBNF notation.</source>
        <translation>Eine Grammatik in der GBNF-Notation von llama.cpp.</translation>
    </message>
    <message>
        <source>A hundred languages, for fast computers.</source>
        <translation>Hundert Sprachen, für schnelle Computer.</translation>
    </message>
    <message>
        <source>A hundred languages, for small computers.</source>
        <translation>Hundert Sprachen, für kleine Computer.</translation>
    </message>
    <message>
        <source>A hundred languages, with fewer mistakes.</source>
        <translation>Hundert Sprachen und weniger Fehler.</translation>
    </message>
    <message>
        <source>A link in its place points somewhere else</source>
        <translation>Eine Verknüpfung an dieser Stelle führt woanders hin</translation>
    </message>
    <message>
        <source>A model for this computer</source>
        <translation>Ein Modell für diesen Computer</translation>
    </message>
    <message>
        <source>A move of the library was interrupted. Start it again.</source>
        <translation>Ein Umzug der Bibliothek wurde unterbrochen. Starte ihn erneut.</translation>
    </message>
    <message>
        <source>A new message to:</source>
        <translation>Eine neue Nachricht an:</translation>
    </message>
    <message>
        <source>A newer version of Fireside wrote these chats. You can read and export them here; to change them, update Fireside.</source>
        <translation>Diese Chats stammen von einer neueren Fireside-Version. Du kannst sie hier lesen und exportieren; zum Ändern aktualisiere Fireside.</translation>
    </message>
    <message>
        <source>A part of the window</source>
        <translation>Ein Teil des Fensters</translation>
    </message>
    <message>
        <source>A person</source>
        <translation>Eine Person</translation>
    </message>
    <message>
        <source>A polite reply to a message that you paste</source>
        <translation>Eine höfliche Antwort auf eine Nachricht, die du einfügst</translation>
    </message>
    <message>
        <source>A program that offers tools to models. Add only servers you trust.</source>
        <translation>Ein Programm, das Modellen Werkzeuge anbietet. Füge nur Server hinzu, denen du vertraust.</translation>
    </message>
    <message>
        <source>A project is a folder of chats that share instructions, documents, a model and settings.</source>
        <translation>Ein Projekt ist ein Ordner von Chats mit gemeinsamen Anweisungen, Dokumenten, Einstellungen und einem Modell.</translation>
    </message>
    <message>
        <source>A prompt that needs more has its model loaded again, once idle, as far as memory allows. A length that you set stays.</source>
        <translation>Braucht ein Prompt mehr, wird sein Modell neu geladen, sobald es frei ist und soweit der Speicher reicht. Eine Länge, die du gesetzt hast, bleibt.</translation>
    </message>
    <message>
        <source>A quantized V cache needs flash attention. Set flash attention to Auto or On first.</source>
        <translation>Ein quantisierter V-Cache braucht Flash Attention. Stell Flash Attention zuerst auf „Auto“ oder „An“.</translation>
    </message>
    <message>
        <source>A recording of {duration} ({time}) is not in a message yet.</source>
        <translation>Eine Aufnahme von {duration} ({time}) steht noch in keiner Nachricht.</translation>
    </message>
    <message>
        <source>A response stops after this many tokens, finished or not.</source>
        <translation>Eine Antwort endet nach so vielen Tokens, ob fertig oder nicht.</translation>
    </message>
    <message>
        <source>A runtime is a build of llama.cpp, the engine that runs models; another build may support your GPU. Add only builds from sources you trust. Nothing downloads automatically.</source>
        <translation>Eine Runtime ist ein Build von llama.cpp, der Engine, die Modelle ausführt; ein anderer Build unterstützt vielleicht deine GPU. Füge nur Builds aus vertrauenswürdigen Quellen hinzu. Nichts wird automatisch heruntergeladen.</translation>
    </message>
    <message>
        <source>A server with an OpenAI-compatible API, such as vLLM, SGLang, llama-server, LM Studio, Ollama or another Fireside, or a provider. Messages are sent there only when you choose one of its models.</source>
        <translation>Ein Server mit OpenAI-kompatibler API, etwa vLLM, SGLang, llama-server, LM Studio, Ollama oder ein anderes Fireside, oder ein Anbieter. Nachrichten gehen nur dorthin, wenn du eines seiner Modelle wählst.</translation>
    </message>
    <message>
        <source>A service outside the sandbox starts the containers of {program}. Remove this server, and add it again with --without-sandbox.</source>
        <translation>Die Container von {program} startet ein Dienst außerhalb der Sandbox. Entferne diesen Server und füge ihn mit --without-sandbox neu hinzu.</translation>
    </message>
    <message>
        <source>A short list</source>
        <translation>Eine kurze Liste</translation>
    </message>
    <message>
        <source>A small model can be faster with fewer threads.</source>
        <translation>Ein kleines Modell kann mit weniger Threads schneller sein.</translation>
    </message>
    <message>
        <source>A small model of the same family that drafts tokens for the large one.</source>
        <translation>Ein kleines Modell derselben Familie, das Tokens für das große vorschlägt.</translation>
    </message>
    <message>
        <source>A smaller one saves memory. Nothing is drafted beyond it.</source>
        <translation>Eine kleinere spart Speicher. Dahinter wird nichts vorgeschlagen.</translation>
    </message>
    <message>
        <source>A sound file may have {file_bytes} at most. Cut it into parts.</source>
        <translation>Eine Tondatei darf höchstens {file_bytes} haben. Teile sie auf.</translation>
    </message>
    <message>
        <source>A source checkout is updated with “git pull” and “make run”.</source>
        <translation>Ein Quelltext-Checkout wird mit „git pull“ und „make run“ aktualisiert.</translation>
    </message>
    <message>
        <source>A summary, list or count needs all documents; only the best passages would be sent</source>
        <translation>Eine Zusammenfassung, Liste oder Zählung braucht alle Dokumente; gesendet würden nur die besten Textstellen</translation>
    </message>
    <message>
        <source>A table of differences and a recommendation</source>
        <translation>Eine Tabelle der Unterschiede und eine Empfehlung</translation>
    </message>
    <message>
        <source>A table.</source>
        <translation>Eine Tabelle.</translation>
    </message>
    <message>
        <source>A tool is waiting for permission</source>
        <translation>Ein Werkzeug wartet auf Erlaubnis</translation>
    </message>
    <message>
        <source>A tool waits for your permission, which you give in the chat.</source>
        <translation>Ein Werkzeug wartet auf deine Erlaubnis, die du im Chat gibst.</translation>
    </message>
    <message>
        <source>A typical turn takes {gain} less time with: {changes}.</source>
        <translation>Eine typische Runde dauert {gain} kürzer mit: {changes}.</translation>
    </message>
    <message>
        <source>A value of the MCP server {name} is missing: {value}. Remove the server and add it again.</source>
        <translation>Dem MCP-Server {name} fehlt ein Wert: {value}. Entferne den Server und füge ihn neu hinzu.</translation>
    </message>
    <message>
        <source>A vision model reads images and scanned pages in the background. Its text is marked: it may have errors.</source>
        <translation>Ein Vision-Modell liest Bilder und gescannte Seiten im Hintergrund. Sein Text ist gekennzeichnet: Er kann Fehler enthalten.</translation>
    </message>
    <message>
        <source>API</source>
        <translation>API</translation>
    </message>
    <message>
        <source>API clients need new access tokens.</source>
        <translation>API-Clients brauchen neue Zugriffstokens.</translation>
    </message>
    <message>
        <source>API key</source>
        <translation>API-Schlüssel</translation>
    </message>
    <message>
        <source>API key for web search</source>
        <translation>API-Schlüssel für die Websuche</translation>
    </message>
    <message>
        <source>API key of {name}</source>
        <translation>API-Schlüssel von {name}</translation>
    </message>
    <message>
        <source>API key…</source>
        <translation>API-Schlüssel…</translation>
    </message>
    <message>
        <source>Abilities</source>
        <translation>Fähigkeiten</translation>
    </message>
    <message>
        <source>About</source>
        <translation>Über</translation>
    </message>
    <message numerus="yes">
        <source>About %n token of each prompt|About %n tokens of each prompt</source>
        <translation>
            <numerusform>Etwa %n Token in jedem Prompt</numerusform>
            <numerusform>Etwa %n Tokens in jedem Prompt</numerusform>
        </translation>
    </message>
    <message>
        <source>About Fireside</source>
        <translation>Über Fireside</translation>
    </message>
    <message>
        <source>About {in_host} of RAM.</source>
        <translation>Etwa {in_host} RAM.</translation>
    </message>
    <message>
        <source>About {on_gpus} of GPU memory and {in_host} of RAM.</source>
        <translation>Etwa {on_gpus} GPU-Speicher und {in_host} RAM.</translation>
    </message>
    <message>
        <source>About {on_gpus} of GPU memory.</source>
        <translation>Etwa {on_gpus} GPU-Speicher.</translation>
    </message>
    <message numerus="yes">
        <source>About {used} of %n token|About {used} of %n tokens</source>
        <translation>
            <numerusform>Etwa {used} von %n Token</numerusform>
            <numerusform>Etwa {used} von %n Tokens</numerusform>
        </translation>
    </message>
    <message>
        <source>Above 0, discourages words that were already used. 0 is off.</source>
        <translation>Über 0 werden schon verwendete Wörter seltener. 0 schaltet es aus.</translation>
    </message>
    <message>
        <source>Above 0, discourages words the more often they were used. 0 is off.</source>
        <translation>Über 0 werden Wörter umso seltener, je öfter sie verwendet wurden. 0 schaltet es aus.</translation>
    </message>
    <message>
        <source>Above 1, discourages repetition. 1 is off.</source>
        <translation>Über 1 werden Wiederholungen seltener. 1 schaltet es aus.</translation>
    </message>
    <message>
        <source>Accelerator</source>
        <translation>Beschleuniger</translation>
    </message>
    <message>
        <source>Accent colour</source>
        <translation>Akzentfarbe</translation>
    </message>
    <message>
        <source>Accept</source>
        <translation>Zustimmen</translation>
    </message>
    <message>
        <source>Accept unknown model names</source>
        <translation>Unbekannte Modellnamen annehmen</translation>
    </message>
    <message>
        <source>Access</source>
        <translation>Zugang</translation>
    </message>
    <message>
        <source>Access of {name}</source>
        <translation>Zugang von {name}</translation>
    </message>
    <message>
        <source>Access token</source>
        <translation>Zugriffstoken</translation>
    </message>
    <message>
        <source>Access token of</source>
        <translation>Zugriffstoken von</translation>
    </message>
    <message>
        <source>Access…</source>
        <translation>Zugang…</translation>
    </message>
    <message>
        <source>Actions</source>
        <translation>Aktionen</translation>
    </message>
    <message>
        <source>Actions for {name}</source>
        <translation>Aktionen für {name}</translation>
    </message>
    <message>
        <source>Active</source>
        <translation>Aktiv</translation>
    </message>
    <message>
        <source>Active; switch to another one first.</source>
        <translation>Aktiv; wechsle zuerst zu einer anderen.</translation>
    </message>
    <message>
        <source>Adapter files made for this model, one per line.</source>
        <translation>Adapterdateien für genau dieses Modell, eine pro Zeile.</translation>
    </message>
    <message>
        <source>Adapters</source>
        <translation>Adapter</translation>
    </message>
    <message>
        <source>Adaptive P decay</source>
        <translation>Abklingen von Adaptive P</translation>
    </message>
    <message>
        <source>Adaptive P target</source>
        <translation>Ziel von Adaptive P</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Add MCP server</source>
        <translation>MCP-Server hinzufügen</translation>
    </message>
    <message>
        <source>Add a file you have</source>
        <translation>Vorhandene Datei hinzufügen</translation>
    </message>
    <message>
        <source>Add a file you have…</source>
        <translation>Vorhandene Datei hinzufügen…</translation>
    </message>
    <message>
        <source>Add and start</source>
        <translation>Hinzufügen und starten</translation>
    </message>
    <message>
        <source>Add by</source>
        <translation>Hinzufügen mit</translation>
    </message>
    <message>
        <source>Add fact</source>
        <translation>Angabe hinzufügen</translation>
    </message>
    <message>
        <source>Add fact…</source>
        <translation>Angabe hinzufügen…</translation>
    </message>
    <message>
        <source>Add files</source>
        <translation>Dateien hinzufügen</translation>
    </message>
    <message>
        <source>Add files…</source>
        <translation>Dateien hinzufügen…</translation>
    </message>
    <message>
        <source>Add file…</source>
        <translation>Datei hinzufügen…</translation>
    </message>
    <message>
        <source>Add folder</source>
        <translation>Ordner hinzufügen</translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation>Ordner hinzufügen…</translation>
    </message>
    <message>
        <source>Add model</source>
        <translation>Modell hinzufügen</translation>
    </message>
    <message>
        <source>Add model files</source>
        <translation>Modelldateien hinzufügen</translation>
    </message>
    <message>
        <source>Add model folder</source>
        <translation>Modellordner hinzufügen</translation>
    </message>
    <message>
        <source>Add model server</source>
        <translation>Modellserver hinzufügen</translation>
    </message>
    <message>
        <source>Add model server…</source>
        <translation>Modellserver hinzufügen…</translation>
    </message>
    <message>
        <source>Add runtime</source>
        <translation>Runtime hinzufügen</translation>
    </message>
    <message>
        <source>Add runtime from folder</source>
        <translation>Runtime aus Ordner hinzufügen</translation>
    </message>
    <message>
        <source>Add server…</source>
        <translation>Server hinzufügen…</translation>
    </message>
    <message>
        <source>Add skill</source>
        <translation>Skill hinzufügen</translation>
    </message>
    <message>
        <source>Add skill…</source>
        <translation>Skill hinzufügen…</translation>
    </message>
    <message>
        <source>Add tag</source>
        <translation>Tag hinzufügen</translation>
    </message>
    <message>
        <source>Add to favourites</source>
        <translation>Zu Favoriten hinzufügen</translation>
    </message>
    <message>
        <source>Add token</source>
        <translation>Token hinzufügen</translation>
    </message>
    <message>
        <source>Add {name}</source>
        <translation>{name} hinzufügen</translation>
    </message>
    <message>
        <source>Added by you</source>
        <translation>Von dir hinzugefügt</translation>
    </message>
    <message>
        <source>Added file</source>
        <translation>Hinzugefügte Datei</translation>
    </message>
    <message>
        <source>Added models and folders</source>
        <translation>Hinzugefügte Modelle und Ordner</translation>
    </message>
    <message>
        <source>Added: {names}</source>
        <translation>Hinzugefügt: {names}</translation>
    </message>
    <message>
        <source>Adding…</source>
        <translation>Wird hinzugefügt…</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Add…</source>
        <translation>Hinzufügen…</translation>
    </message>
    <message>
        <source>Advanced load settings</source>
        <translation>Erweiterte Ladeeinstellungen</translation>
    </message>
    <message>
        <source>Advanced sampling</source>
        <translation>Erweitertes Sampling</translation>
    </message>
    <message>
        <source>Advanced settings</source>
        <translation>Erweiterte Einstellungen</translation>
    </message>
    <message>
        <source>Afterwards, everybody who can read this computer’s disk can read your chats.</source>
        <translation>Danach kann jeder, der die Festplatte dieses Computers lesen kann, die Chats lesen.</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message numerus="yes">
        <source>All %n chat|All %n chats</source>
        <translation>
            <numerusform>Alle %n Chats</numerusform>
            <numerusform>Alle %n Chats</numerusform>
        </translation>
    </message>
    <message>
        <source>All access</source>
        <translation>Alle Zugänge</translation>
    </message>
    <message>
        <source>All architectures</source>
        <translation>Alle Architekturen</translation>
    </message>
    <message>
        <source>All artifacts of this chat</source>
        <translation>Alle Artefakte dieses Chats</translation>
    </message>
    <message>
        <source>All branches and settings; can be imported again.</source>
        <translation>Alle Zweige und Einstellungen; kann wieder importiert werden.</translation>
    </message>
    <message>
        <source>All chats</source>
        <translation>Alle Chats</translation>
    </message>
    <message>
        <source>All chats (1)</source>
        <translation>Alle Chats (1)</translation>
    </message>
    <message>
        <source>All chats are replaced by this backup. Current chats are backed up first.</source>
        <translation>Alle Chats werden durch diese Sicherung ersetzt. Die aktuellen werden vorher gesichert.</translation>
    </message>
    <message>
        <source>All collections</source>
        <translation>Alle Sammlungen</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>All free memory</source>
        <translation>Aller freie Speicher</translation>
    </message>
    <message>
        <source>All layers on the GPU</source>
        <translation>Alle Schichten auf der GPU</translation>
    </message>
    <message>
        <source>All library models are copied to {asked} and verified before the originals are removed. Models from other apps stay in place.</source>
        <translation>Alle Modelle der Bibliothek werden nach {asked} kopiert und geprüft, bevor die Originale entfernt werden. Modelle anderer Programme bleiben an ihrem Ort.</translation>
    </message>
    <message>
        <source>All licences</source>
        <translation>Alle Lizenzen</translation>
    </message>
    <message>
        <source>All locations</source>
        <translation>Alle Orte</translation>
    </message>
    <message>
        <source>All models are up to date</source>
        <translation>Alle Modelle sind aktuell</translation>
    </message>
    <message>
        <source>All models…</source>
        <translation>Alle Modelle…</translation>
    </message>
    <message>
        <source>All of this text is sent to {host}</source>
        <translation>Dieser ganze Text wird an {host} gesendet</translation>
    </message>
    <message>
        <source>All owners</source>
        <translation>Alle Besitzer</translation>
    </message>
    <message>
        <source>All places</source>
        <translation>Alle Orte</translation>
    </message>
    <message>
        <source>All presets…</source>
        <translation>Alle Presets…</translation>
    </message>
    <message>
        <source>All sizes</source>
        <translation>Alle Größen</translation>
    </message>
    <message>
        <source>All tasks</source>
        <translation>Alle Aufgaben</translation>
    </message>
    <message>
        <source>All tools…</source>
        <translation>Alle Werkzeuge…</translation>
    </message>
    <message>
        <source>Allocating context…</source>
        <translation>Kontext wird angelegt…</translation>
    </message>
    <message>
        <source>Allow in this chat</source>
        <translation>In diesem Chat erlauben</translation>
    </message>
    <message>
        <source>Allow network</source>
        <translation>Netzwerk erlauben</translation>
    </message>
    <message>
        <source>Allow once</source>
        <translation>Einmal erlauben</translation>
    </message>
    <message>
        <source>Allow the model to make this change?</source>
        <translation>Darf das Modell diese Änderung machen?</translation>
    </message>
    <message>
        <source>Allow the model to run this code?</source>
        <translation>Darf das Modell diesen Code ausführen?</translation>
    </message>
    <message>
        <source>Allow the model to use this tool?</source>
        <translation>Darf das Modell dieses Werkzeug benutzen?</translation>
    </message>
    <message>
        <source>Allow {name} the network</source>
        <translation>{name} das Netzwerk erlauben</translation>
    </message>
    <message>
        <source>Allowed hosts</source>
        <translation>Erlaubte Hosts</translation>
    </message>
    <message>
        <source>Allowed in single chats</source>
        <translation>In einzelnen Chats erlaubt</translation>
    </message>
    <message>
        <source>Allowed models</source>
        <translation>Erlaubte Modelle</translation>
    </message>
    <message>
        <source>Allowed web pages and apps</source>
        <translation>Erlaubte Webseiten und Apps</translation>
    </message>
    <message>
        <source>Also loaded during the benchmark: {models}.</source>
        <translation>Beim Benchmark ebenfalls geladen: {models}.</translation>
    </message>
    <message>
        <source>Also run well here</source>
        <translation>Laufen hier auch gut</translation>
    </message>
    <message>
        <source>Alternatives</source>
        <translation>Alternativen</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>Immer</translation>
    </message>
    <message>
        <source>Always allow</source>
        <translation>Immer erlauben</translation>
    </message>
    <message>
        <source>Always show statistics</source>
        <translation>Statistik immer zeigen</translation>
    </message>
    <message>
        <source>An English voice, quick on any computer. Needs espeak-ng.</source>
        <translation>Eine englische Stimme, schnell auf jedem Computer. Braucht espeak-ng.</translation>
    </message>
    <message>
        <source>An answer is being written</source>
        <translation>Eine Antwort wird geschrieben</translation>
    </message>
    <message>
        <source>An internal error prevents reading it.</source>
        <translation>Ein interner Fehler verhindert das Lesen.</translation>
    </message>
    <message>
        <source>Announced</source>
        <translation>Angekündigt</translation>
    </message>
    <message>
        <source>Another part</source>
        <translation>Weiterer Teil</translation>
    </message>
    <message>
        <source>Another program has locked the chat database. Saving resumes when it is released.</source>
        <translation>Ein anderes Programm hat die Chat-Datenbank gesperrt. Gespeichert wird, sobald sie frei ist.</translation>
    </message>
    <message>
        <source>Another skill has this name: {folder}</source>
        <translation>Ein anderer Skill heißt so: {folder}</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Answer an e-mail</source>
        <translation>E-Mail beantworten</translation>
    </message>
    <message>
        <source>Answer copied</source>
        <translation>Antwort kopiert</translation>
    </message>
    <message>
        <source>Answer details</source>
        <translation>Details zur Antwort</translation>
    </message>
    <message>
        <source>Answer failed. {reason}</source>
        <translation>Antwort fehlgeschlagen. {reason}</translation>
    </message>
    <message>
        <source>Answer failed: {reason}</source>
        <translation>Antwort fehlgeschlagen: {reason}</translation>
    </message>
    <message>
        <source>Answer finished</source>
        <translation>Antwort fertig</translation>
    </message>
    <message>
        <source>Answer from collections</source>
        <translation>Aus Sammlungen antworten</translation>
    </message>
    <message>
        <source>Answer from what was read</source>
        <translation>Aus dem Gelesenen antworten</translation>
    </message>
    <message>
        <source>Answer interrupted</source>
        <translation>Antwort unterbrochen</translation>
    </message>
    <message>
        <source>Answer ready</source>
        <translation>Antwort fertig</translation>
    </message>
    <message>
        <source>Answer ready in “{title}”</source>
        <translation>Antwort fertig in „{title}“</translation>
    </message>
    <message>
        <source>Answer tokens</source>
        <translation>Tokens der Antwort</translation>
    </message>
    <message>
        <source>Answer {number}</source>
        <translation>Antwort {number}</translation>
    </message>
    <message>
        <source>Answer, interrupted: {words}</source>
        <translation>Antwort, unterbrochen: {words}</translation>
    </message>
    <message>
        <source>Answer, still being written: {words}</source>
        <translation>Antwort, wird noch geschrieben: {words}</translation>
    </message>
    <message>
        <source>Answer: working</source>
        <translation>Antwort: in Arbeit</translation>
    </message>
    <message>
        <source>Answer: {words}</source>
        <translation>Antwort: {words}</translation>
    </message>
    <message>
        <source>Answered without tools: the server or its model takes none.</source>
        <translation>Ohne Werkzeuge beantwortet: Der Server oder sein Modell nimmt keine an.</translation>
    </message>
    <message>
        <source>Answering</source>
        <translation>Antwortet</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>Answers appear side by side. Models that don’t fit in memory together take turns. All answers are kept; the one you keep is shown.</source>
        <translation>Antworten erscheinen nebeneinander. Modelle, die nicht zusammen in den Speicher passen, wechseln sich ab. Alle Antworten bleiben; angezeigt wird die, die du behältst.</translation>
    </message>
    <message>
        <source>Answers in chats with this preset must match this format.</source>
        <translation>Antworten in Chats mit diesem Preset müssen diesem Format entsprechen.</translation>
    </message>
    <message>
        <source>Answers in this chat must match this format.</source>
        <translation>Antworten in diesem Chat müssen diesem Format entsprechen.</translation>
    </message>
    <message>
        <source>Answers right</source>
        <translation>Richtige Antworten</translation>
    </message>
    <message>
        <source>Answer…</source>
        <translation>Antworten…</translation>
    </message>
    <message>
        <source>Any context</source>
        <translation>Jeder Kontext</translation>
    </message>
    <message>
        <source>Any file can be downloaded.</source>
        <translation>Jede Datei lässt sich herunterladen.</translation>
    </message>
    <message>
        <source>Any folder</source>
        <translation>Alle Ordner</translation>
    </message>
    <message>
        <source>Any model</source>
        <translation>Alle Modelle</translation>
    </message>
    <message>
        <source>Any tag</source>
        <translation>Alle Tags</translation>
    </message>
    <message>
        <source>Any time</source>
        <translation>Jederzeit</translation>
    </message>
    <message>
        <source>Anyone</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Aussehen</translation>
    </message>
    <message>
        <source>Applied from tuning: {settings}.</source>
        <translation>Aus dem Tuning übernommen: {settings}.</translation>
    </message>
    <message>
        <source>Applies after the model is reloaded.</source>
        <translation>Gilt nach dem Neuladen des Modells.</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>Apr</source>
        <translation>Apr.</translation>
    </message>
    <message>
        <source>April</source>
        <translation>April</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>Architektur</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>Archiv</translation>
    </message>
    <message>
        <source>Archive</source>
        <comment>verb</comment>
        <translation>Archivieren</translation>
    </message>
    <message>
        <source>Archive (tar.xz, tar.gz, zip) or folder. You can also drop an archive here.</source>
        <translation>Archiv (tar.xz, tar.gz, zip) oder Ordner. Du kannst ein Archiv auch hier ablegen.</translation>
    </message>
    <message>
        <source>Archive chat</source>
        <translation>Chat archivieren</translation>
    </message>
    <message>
        <source>Archive or unarchive chat</source>
        <translation>Chat archivieren oder zurückholen</translation>
    </message>
    <message>
        <source>Archived chat</source>
        <translation>Archivierter Chat</translation>
    </message>
    <message>
        <source>Archived only</source>
        <translation>Nur archivierte</translation>
    </message>
    <message>
        <source>Archives ({patterns})</source>
        <translation>Archive ({patterns})</translation>
    </message>
    <message>
        <source>Archive…</source>
        <translation>Archiv…</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>Argumente</translation>
    </message>
    <message>
        <source>Arrow keys change it</source>
        <translation>Pfeiltasten ändern sie</translation>
    </message>
    <message>
        <source>Artifacts</source>
        <translation>Artefakte</translation>
    </message>
    <message>
        <source>Artifacts of this chat</source>
        <translation>Artefakte dieses Chats</translation>
    </message>
    <message>
        <source>As for the K cache. Quantized types need flash attention.</source>
        <translation>Wie beim K-Cache. Quantisierte Typen brauchen Flash Attention.</translation>
    </message>
    <message>
        <source>As in other chats</source>
        <translation>Wie in anderen Chats</translation>
    </message>
    <message>
        <source>As you see it, as one web page.</source>
        <translation>Wie du es siehst, als eine Webseite.</translation>
    </message>
    <message>
        <source>As you see it, as plain text.</source>
        <translation>Wie du es siehst, als reiner Text.</translation>
    </message>
    <message>
        <source>As you see it, on pages.</source>
        <translation>Wie du es siehst, auf Seiten.</translation>
    </message>
    <message>
        <source>Ascending; click to reverse</source>
        <translation>Aufsteigend; klicken zum Umkehren</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>Fragen</translation>
    </message>
    <message>
        <source>Ask before sending</source>
        <translation>Vor dem Senden fragen</translation>
    </message>
    <message>
        <source>Ask in new chat</source>
        <translation>In neuem Chat fragen</translation>
    </message>
    <message>
        <source>Ask me</source>
        <translation>Mich fragen</translation>
    </message>
    <message>
        <source>Ask them questions too, to compare their answers</source>
        <translation>Stell ihnen auch Fragen, um ihre Antworten zu vergleichen</translation>
    </message>
    <message>
        <source>Ask to change</source>
        <translation>Um Änderung bitten</translation>
    </message>
    <message>
        <source>Ask to correct</source>
        <translation>Um Korrektur bitten</translation>
    </message>
    <message>
        <source>Asking Fireside’s releases…</source>
        <translation>Die Veröffentlichungen von Fireside werden abgefragt…</translation>
    </message>
    <message>
        <source>Asking {name}: question {number} of {total}</source>
        <translation>{name} wird gefragt: Frage {number} von {total}</translation>
    </message>
    <message>
        <source>Asks Fireside’s releases; nothing is asked until you click.</source>
        <translation>Fragt die Veröffentlichungen von Fireside; ohne einen Klick wird nichts abgefragt.</translation>
    </message>
    <message>
        <source>Asks Hugging Face for the headers of results in view, for exact fit and speed.</source>
        <translation>Fragt Hugging Face nach den Headern der sichtbaren Treffer, um genau zu sagen, ob und wie schnell sie laufen.</translation>
    </message>
    <message>
        <source>Asks for an explanation that a beginner understands</source>
        <translation>Bittet um eine Erklärung, die ein Anfänger versteht</translation>
    </message>
    <message>
        <source>Asks it to put what it makes whole into one titled block; about 90 tokens.</source>
        <translation>Bittet es, was es erstellt, ganz in einen Block mit Titel zu schreiben; etwa 90 Tokens.</translation>
    </message>
    <message>
        <source>Asks the release address once a day. Nothing is installed without you.</source>
        <translation>Fragt einmal am Tag bei der Update-Adresse nach. Ohne dich wird nichts installiert.</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>Assistent</translation>
    </message>
    <message>
        <source>At an unknown time</source>
        <translation>Zu unbekannter Zeit</translation>
    </message>
    <message>
        <source>At least one GPU must have a share.</source>
        <translation>Mindestens eine GPU muss einen Anteil haben.</translation>
    </message>
    <message>
        <source>At least {count} characters.</source>
        <translation>Mindestens {count} Zeichen.</translation>
    </message>
    <message numerus="yes">
        <source>At most %n second left|At most %n seconds left</source>
        <translation>
            <numerusform>Höchstens noch %n Sekunde</numerusform>
            <numerusform>Höchstens noch %n Sekunden</numerusform>
        </translation>
    </message>
    <message>
        <source>At most {most} GPUs.</source>
        <translation>Höchstens {most} GPUs.</translation>
    </message>
    <message>
        <source>Attach</source>
        <translation>Anhängen</translation>
    </message>
    <message>
        <source>Attach collection</source>
        <translation>Sammlung anhängen</translation>
    </message>
    <message>
        <source>Attach files</source>
        <translation>Dateien anhängen</translation>
    </message>
    <message>
        <source>Attach files…</source>
        <translation>Dateien anhängen…</translation>
    </message>
    <message>
        <source>Attached file {name}:</source>
        <translation>Angehängte Datei {name}:</translation>
    </message>
    <message>
        <source>Attached files</source>
        <translation>Angehängte Dateien</translation>
    </message>
    <message>
        <source>Attached: {names}</source>
        <translation>Angehängt: {names}</translation>
    </message>
    <message>
        <source>Audio</source>
        <translation>Audio</translation>
    </message>
    <message>
        <source>Audio sent to the model, as one channel at {rate} kHz</source>
        <translation>Audio, das an das Modell gesendet wird, mit einem Kanal und {rate} kHz</translation>
    </message>
    <message>
        <source>Audio {number} cannot be used: {reason}</source>
        <translation>Audio {number} kann nicht verwendet werden: {reason}</translation>
    </message>
    <message>
        <source>Aug</source>
        <translation>Aug.</translation>
    </message>
    <message>
        <source>August</source>
        <translation>August</translation>
    </message>
    <message>
        <source>Author</source>
        <translation>Verfasser</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>Auto</translation>
    </message>
    <message>
        <source>Auto (draft heads)</source>
        <translation>Auto (Entwurfsköpfe)</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>BF16</source>
        <translation>BF16</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Back to documents</source>
        <translation>Zurück zu Dokumenten</translation>
    </message>
    <message>
        <source>Back to models</source>
        <translation>Zurück zu den Modellen</translation>
    </message>
    <message>
        <source>Back to projects</source>
        <translation>Zurück zu den Projekten</translation>
    </message>
    <message>
        <source>Back to search</source>
        <translation>Zurück zur Suche</translation>
    </message>
    <message>
        <source>Back to the chat</source>
        <translation>Zurück zum Chat</translation>
    </message>
    <message>
        <source>Back to the message field</source>
        <translation>Zurück zum Nachrichtenfeld</translation>
    </message>
    <message>
        <source>Back to version {version}</source>
        <translation>Zurück zu Version {version}</translation>
    </message>
    <message>
        <source>Back up now</source>
        <translation>Jetzt sichern</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>Backend</translation>
    </message>
    <message>
        <source>Backing up…</source>
        <translation>Wird gesichert…</translation>
    </message>
    <message>
        <source>Backup folder</source>
        <translation>Sicherungsordner</translation>
    </message>
    <message>
        <source>Backup restored. Restart Fireside to see its chats.</source>
        <translation>Sicherung wiederhergestellt. Starte Fireside neu, um die Chats zu sehen.</translation>
    </message>
    <message>
        <source>Backup restored. Your previous chats are the newest backup in the list.</source>
        <translation>Sicherung wiederhergestellt. Deine vorherigen Chats sind die neueste Sicherung in der Liste.</translation>
    </message>
    <message>
        <source>Backup to {path} failed: {reason}</source>
        <translation>Sicherung nach {path} fehlgeschlagen: {reason}</translation>
    </message>
    <message>
        <source>Backups</source>
        <translation>Sicherungen</translation>
    </message>
    <message>
        <source>Backups…</source>
        <translation>Sicherungen…</translation>
    </message>
    <message>
        <source>Bad file descriptor</source>
        <translation>die Datei ist nicht mehr geöffnet</translation>
    </message>
    <message>
        <source>Base URL</source>
        <translation>Basis-URL</translation>
    </message>
    <message>
        <source>Base frequency of RoPE; 0 uses the model’s own.</source>
        <translation>Basisfrequenz von RoPE; 0 nimmt die des Modells.</translation>
    </message>
    <message>
        <source>Base model</source>
        <translation>Basismodell</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>Vergleichswert</translation>
    </message>
    <message numerus="yes">
        <source>Batch of %n token|Batch of %n tokens</source>
        <translation>
            <numerusform>Batch von %n Token</numerusform>
            <numerusform>Batch von %n Tokens</numerusform>
        </translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation>Batchgröße</translation>
    </message>
    <message>
        <source>Before a message is sent: what is left out when the chat no longer fits the context.</source>
        <translation>Bevor eine Nachricht gesendet wird: was weggelassen wird, wenn der Chat nicht mehr in den Kontext passt.</translation>
    </message>
    <message>
        <source>Before a restore</source>
        <translation>Vor einer Wiederherstellung</translation>
    </message>
    <message>
        <source>Before an update</source>
        <translation>Vor einer Aktualisierung</translation>
    </message>
    <message>
        <source>Begin outside of {name}</source>
        <translation>Außerhalb von {name} beginnen</translation>
    </message>
    <message>
        <source>Benchmark</source>
        <translation>Benchmark</translation>
    </message>
    <message numerus="yes">
        <source>Best matches of %n message|Best matches of %n messages</source>
        <translation>
            <numerusform>Beste Treffer aus %n Nachricht</numerusform>
            <numerusform>Beste Treffer aus %n Nachrichten</numerusform>
        </translation>
    </message>
    <message>
        <source>Best quality that fits fully on the GPU: {quant}. {fit}</source>
        <translation>Beste Qualität, die ganz auf die GPU passt: {quant}. {fit}</translation>
    </message>
    <message>
        <source>Best quality that fits in memory: {quant}. {fit}</source>
        <translation>Beste Qualität, die in den Speicher passt: {quant}. {fit}</translation>
    </message>
    <message>
        <source>Best so far: {trial}, typical turn {time}</source>
        <translation>Bisher am besten: {trial}, typische Runde {time}</translation>
    </message>
    <message>
        <source>Beyond this, an idle model is unloaded first, then the one closest to its idle limit.</source>
        <translation>Darüber hinaus wird zuerst ein untätiges Modell entladen, dann das, dessen Leerlaufzeit am ehesten endet.</translation>
    </message>
    <message>
        <source>Bind “fireside ask-window” to a system shortcut to ask from anywhere.</source>
        <translation>Lege „fireside ask-window“ auf ein Tastenkürzel deines Systems, um von überall zu fragen.</translation>
    </message>
    <message>
        <source>Bits per byte</source>
        <translation>Bits pro Byte</translation>
    </message>
    <message>
        <source>Bits per weight of the model file</source>
        <translation>Bits pro Gewicht der Modelldatei</translation>
    </message>
    <message>
        <source>Blocks all network access. Chatting works offline anyway.</source>
        <translation>Blockiert jeden Netzwerkzugriff. Chatten geht ohnehin offline.</translation>
    </message>
    <message>
        <source>Blue</source>
        <translation>Blau</translation>
    </message>
    <message>
        <source>Brainstorm</source>
        <translation>Ideen sammeln</translation>
    </message>
    <message>
        <source>Branch into new chat</source>
        <translation>In neuen Chat verzweigen</translation>
    </message>
    <message>
        <source>Branched into new chat</source>
        <translation>In neuen Chat verzweigt</translation>
    </message>
    <message>
        <source>Branches</source>
        <translation>Zweige</translation>
    </message>
    <message>
        <source>Broken pipe</source>
        <translation>die Verbindung ist abgerissen</translation>
    </message>
    <message>
        <source>Browse trending models</source>
        <translation>Beliebte Modelle ansehen</translation>
    </message>
    <message>
        <source>Built in</source>
        <translation>Eingebaut</translation>
    </message>
    <message>
        <source>Built-in</source>
        <translation>Integriert</translation>
    </message>
    <message>
        <source>By folder</source>
        <translation>Nach Ordner</translation>
    </message>
    <message>
        <source>By model</source>
        <translation>Nach Modell</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>CPU affinity</source>
        <translation>CPU-Affinität</translation>
    </message>
    <message>
        <source>CPU features in use: {names}</source>
        <translation>Genutzte CPU-Befehlssätze: {names}</translation>
    </message>
    <message>
        <source>CPU instructions used by this llama.cpp build</source>
        <translation>CPU-Befehlssätze, die dieser llama.cpp-Build nutzt</translation>
    </message>
    <message>
        <source>CPU numbers such as 0-7, 12; empty for all. Not available on macOS.</source>
        <translation>CPU-Nummern wie 0-7, 12; leer für alle. Unter macOS nicht verfügbar.</translation>
    </message>
    <message>
        <source>CPU threads</source>
        <translation>CPU-Threads</translation>
    </message>
    <message>
        <source>CPU time limit reached (SIGXCPU).</source>
        <translation>CPU-Zeitlimit erreicht (SIGXCPU).</translation>
    </message>
    <message>
        <source>CPU {number} is not available.</source>
        <translation>CPU {number} ist nicht verfügbar.</translation>
    </message>
    <message>
        <source>CPU: {name}, {cores}</source>
        <translation>CPU: {name}, {cores}</translation>
    </message>
    <message>
        <source>Cache reuse (KV shifting)</source>
        <translation>Cache-Wiederverwendung (KV-Verschiebung)</translation>
    </message>
    <message>
        <source>Calculated for a context of {count} tokens</source>
        <translation>Berechnet für einen Kontext von {count} Tokens</translation>
    </message>
    <message>
        <source>Calculating…</source>
        <translation>Wird berechnet…</translation>
    </message>
    <message>
        <source>Calculator</source>
        <translation>Rechner</translation>
    </message>
    <message>
        <source>Call</source>
        <translation>Aufrufen</translation>
    </message>
    <message>
        <source>Calling…</source>
        <translation>Wird aufgerufen…</translation>
    </message>
    <message>
        <source>Calls tool {name}</source>
        <translation>Ruft Werkzeug {name} auf</translation>
    </message>
    <message>
        <source>Can be loaded with less memory: {smaller}.</source>
        <translation>Lässt sich mit weniger Speicher laden: {smaller}.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Cancel call</source>
        <translation>Aufruf abbrechen</translation>
    </message>
    <message>
        <source>Cancel loading</source>
        <translation>Laden abbrechen</translation>
    </message>
    <message>
        <source>Cancel loading {name}</source>
        <translation>Laden von {name} abbrechen</translation>
    </message>
    <message>
        <source>Cancel the update</source>
        <translation>Update abbrechen</translation>
    </message>
    <message>
        <source>Cancel verification</source>
        <translation>Prüfung abbrechen</translation>
    </message>
    <message>
        <source>Cancel {name}</source>
        <translation>{name} abbrechen</translation>
    </message>
    <message>
        <source>Cancel {name} and discard the partial file</source>
        <translation>{name} abbrechen und Teildatei verwerfen</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>Cancelled; finished files stay.</source>
        <translation>Abgebrochen; fertige Dateien bleiben.</translation>
    </message>
    <message>
        <source>Cancelled; imported chats stay.</source>
        <translation>Abgebrochen; importierte Chats bleiben.</translation>
    </message>
    <message>
        <source>Cancelled; nothing changed</source>
        <translation>Abgebrochen; nichts geändert</translation>
    </message>
    <message>
        <source>Cancelling…</source>
        <translation>Wird abgebrochen…</translation>
    </message>
    <message>
        <source>Cancels loading</source>
        <translation>Bricht das Laden ab</translation>
    </message>
    <message>
        <source>Cannot allocate memory</source>
        <translation>es gibt nicht genug Speicher</translation>
    </message>
    <message>
        <source>Cannot be read</source>
        <translation>Nicht lesbar</translation>
    </message>
    <message>
        <source>Cannot be set per chat.</source>
        <translation>Lässt sich nicht je Chat einstellen.</translation>
    </message>
    <message>
        <source>Cannot be set per model.</source>
        <translation>Lässt sich nicht je Modell einstellen.</translation>
    </message>
    <message>
        <source>Capable for its size, with a very long context.</source>
        <translation>Fähig für seine Größe, mit sehr langem Kontext.</translation>
    </message>
    <message>
        <source>Cards</source>
        <translation>Karten</translation>
    </message>
    <message>
        <source>Caution</source>
        <translation>Vorsicht</translation>
    </message>
    <message>
        <source>Certificate file</source>
        <translation>Zertifikatsdatei</translation>
    </message>
    <message>
        <source>Certificate fingerprint</source>
        <translation>Zertifikat-Fingerabdruck</translation>
    </message>
    <message>
        <source>Certificates</source>
        <translation>Zertifikate</translation>
    </message>
    <message>
        <source>Chance of dropping the most likely tokens, for more unusual responses. 0 is off.</source>
        <translation>Wie oft die wahrscheinlichsten Tokens ausgelassen werden, für ungewöhnlichere Antworten. 0 schaltet es aus.</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>Change fact</source>
        <translation>Angabe ändern</translation>
    </message>
    <message>
        <source>Change files</source>
        <translation>Dateien ändern</translation>
    </message>
    <message>
        <source>Change the passphrase</source>
        <translation>Passphrase ändern</translation>
    </message>
    <message>
        <source>Change this part of “{title}”:</source>
        <translation>Ändere diesen Teil von „{title}“:</translation>
    </message>
    <message>
        <source>Change “{title}”:</source>
        <translation>„{title}“ ändern:</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>Geändert</translation>
    </message>
    <message>
        <source>Changed since download</source>
        <translation>Seit dem Download verändert</translation>
    </message>
    <message>
        <source>Changed, off until reviewed</source>
        <translation>Geändert, aus bis zur Prüfung</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>Änderungen</translation>
    </message>
    <message>
        <source>Changes since the previous version</source>
        <translation>Änderungen seit der vorigen Version</translation>
    </message>
    <message>
        <source>Changes {folder}</source>
        <translation>Ändert {folder}</translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>Ändern…</translation>
    </message>
    <message>
        <source>Channels</source>
        <translation>Kanäle</translation>
    </message>
    <message>
        <source>Chart</source>
        <translation>Grafik</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>Diagramm</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Chat details</source>
        <translation>Details zum Chat</translation>
    </message>
    <message>
        <source>Chat kept</source>
        <translation>Chat behalten</translation>
    </message>
    <message>
        <source>Chat list options</source>
        <translation>Optionen der Chatliste</translation>
    </message>
    <message>
        <source>Chat name</source>
        <translation>Name des Chats</translation>
    </message>
    <message>
        <source>Chat settings</source>
        <translation>Chat-Einstellungen</translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation>Chatvorlage</translation>
    </message>
    <message>
        <source>Chat template of this model</source>
        <translation>Chat-Vorlage dieses Modells</translation>
    </message>
    <message>
        <source>Chat width</source>
        <translation>Chatbreite</translation>
    </message>
    <message>
        <source>Chat with language models on your own computer.</source>
        <translation>Mit Sprachmodellen auf dem eigenen Computer chatten.</translation>
    </message>
    <message>
        <source>Chat with {name}</source>
        <translation>Mit {name} chatten</translation>
    </message>
    <message>
        <source>Chat with {subject}</source>
        <translation>Chatten mit: {subject}</translation>
    </message>
    <message>
        <source>Chat {number}</source>
        <translation>Chat {number}</translation>
    </message>
    <message>
        <source>Chat “{name}”</source>
        <translation>Chat „{name}“</translation>
    </message>
    <message>
        <source>Chat&apos;s current model</source>
        <translation>Aktuelles Modell des Chats</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
    <message>
        <source>Chats (*.json *.zip)</source>
        <translation>Chats (*.json *.zip)</translation>
    </message>
    <message>
        <source>Chats and models</source>
        <translation>Chats und Modelle</translation>
    </message>
    <message>
        <source>Chats and projects exported from Fireside, ChatGPT, Claude, LM Studio, Jan or Open WebUI: a file, a ZIP archive or a folder. What is here already gets what is new in it.</source>
        <translation>Aus Fireside, ChatGPT, Claude, LM Studio, Jan oder Open WebUI exportierte Chats und Projekte: eine Datei, ein ZIP-Archiv oder ein Ordner. Was schon hier ist, bekommt, was darin neu ist.</translation>
    </message>
    <message>
        <source>Chats and their prompt cache are kept.</source>
        <translation>Chats und ihr Prompt-Cache bleiben erhalten.</translation>
    </message>
    <message>
        <source>Chats are kept; each is reprocessed when you continue it.</source>
        <translation>Chats bleiben erhalten; jeder wird beim Fortsetzen neu verarbeitet.</translation>
    </message>
    <message>
        <source>Chats backed up</source>
        <translation>Chats gesichert</translation>
    </message>
    <message>
        <source>Chats begin with</source>
        <translation>Chats beginnen mit</translation>
    </message>
    <message>
        <source>Chats from ChatGPT, Claude, LM Studio, Jan or Open WebUI, and all of yours as files.</source>
        <translation>Chats aus ChatGPT, Claude, LM Studio, Jan oder Open WebUI, und alle deine als Dateien.</translation>
    </message>
    <message>
        <source>Chats not available</source>
        <translation>Chats nicht verfügbar</translation>
    </message>
    <message>
        <source>Chats with their attachments and drafts, documents that you index, saved prompts and backups are encrypted on this computer. Settings, model files, logs, skills, documents of imported projects, recordings of an unfinished dictation, temporary files that Python or other programs open, and files that you export are not. What was stored before may still be found in free space of the disk.</source>
        <translation>Chats mit ihren Anhängen und Entwürfen, indexierte Dokumente, gespeicherte Prompts und Sicherungen sind auf diesem Computer verschlüsselt. Einstellungen, Modelldateien, Protokolle, Skills, Dokumente importierter Projekte, Aufnahmen eines nicht beendeten Diktats, temporäre Dateien, die Python oder andere Programme öffnen, und exportierte Dateien sind es nicht. Was vorher gespeichert war, kann im freien Platz des Datenträgers noch zu finden sein.</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>Erneut prüfen</translation>
    </message>
    <message>
        <source>Check again what fits this computer</source>
        <translation>Erneut prüfen, was auf diesen Computer passt</translation>
    </message>
    <message>
        <source>Check and save</source>
        <translation>Prüfen und speichern</translation>
    </message>
    <message>
        <source>Check for changes</source>
        <translation>Nach Änderungen suchen</translation>
    </message>
    <message>
        <source>Check for updates</source>
        <translation>Nach Updates suchen</translation>
    </message>
    <message>
        <source>Check for updates daily</source>
        <translation>Täglich nach Updates suchen</translation>
    </message>
    <message>
        <source>Checking</source>
        <translation>Wird geprüft</translation>
    </message>
    <message>
        <source>Checking for updates…</source>
        <translation>Suche nach Updates…</translation>
    </message>
    <message>
        <source>Checking the libraries of “{name}”…</source>
        <translation>Die Bibliotheken von „{name}“ werden geprüft…</translation>
    </message>
    <message>
        <source>Checking what fits this computer…</source>
        <translation>Was auf diesen Computer passt, wird geprüft…</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>Wird geprüft…</translation>
    </message>
    <message>
        <source>Checks the connection to Hugging Face with these settings.</source>
        <translation>Prüft die Verbindung zu Hugging Face mit diesen Einstellungen.</translation>
    </message>
    <message>
        <source>Checksum</source>
        <translation>Prüfsumme</translation>
    </message>
    <message>
        <source>Checksum verified when downloaded on {day}; unchanged since.</source>
        <translation>Prüfsumme beim Herunterladen am {day} geprüft; seitdem unverändert.</translation>
    </message>
    <message>
        <source>Checksum verified when downloaded; unchanged since.</source>
        <translation>Prüfsumme beim Herunterladen geprüft; seitdem unverändert.</translation>
    </message>
    <message>
        <source>Choose a file under “{label}” first.</source>
        <translation>Wähle zuerst eine Datei unter „{label}“.</translation>
    </message>
    <message>
        <source>Choose a folder for your data</source>
        <translation>Ordner für deine Daten wählen</translation>
    </message>
    <message>
        <source>Choose a model first</source>
        <translation>Wähle zuerst ein Modell</translation>
    </message>
    <message>
        <source>Choose a model to start</source>
        <translation>Wähle ein Modell, um anzufangen</translation>
    </message>
    <message>
        <source>Choose a model to start.</source>
        <translation>Wähle ein Modell, um anzufangen.</translation>
    </message>
    <message>
        <source>Choose a number from {least} to {most}{unit}.</source>
        <translation>Wähle eine Zahl von {least} bis {most}{unit}.</translation>
    </message>
    <message>
        <source>Choose a preset, or create one.</source>
        <translation>Wähle ein Preset oder erstelle eins.</translation>
    </message>
    <message>
        <source>Choose at most four models.</source>
        <translation>Wähle höchstens vier Modelle.</translation>
    </message>
    <message>
        <source>Choose files…</source>
        <translation>Dateien wählen…</translation>
    </message>
    <message>
        <source>Choose file…</source>
        <translation>Datei wählen…</translation>
    </message>
    <message>
        <source>Choose folder…</source>
        <translation>Ordner wählen…</translation>
    </message>
    <message>
        <source>Choose how to handle older messages.</source>
        <translation>Wähle, wie mit älteren Nachrichten umgegangen wird.</translation>
    </message>
    <message>
        <source>Choose microphone…</source>
        <translation>Mikrofon wählen…</translation>
    </message>
    <message>
        <source>Choose model</source>
        <translation>Modell wählen</translation>
    </message>
    <message>
        <source>Choose model…</source>
        <translation>Modell wählen…</translation>
    </message>
    <message>
        <source>Choose on or off.</source>
        <translation>Wähle an oder aus.</translation>
    </message>
    <message>
        <source>Choose one to four models.</source>
        <translation>Wähle ein bis vier Modelle.</translation>
    </message>
    <message>
        <source>Choose sound output…</source>
        <translation>Tonausgabe wählen…</translation>
    </message>
    <message>
        <source>Choose two to four models or quantizations. Each is loaded with its own settings and measured for about 30 s.</source>
        <translation>Wähle zwei bis vier Modelle oder Quantisierungen. Jedes wird mit seinen eigenen Einstellungen geladen und etwa 30 s gemessen.</translation>
    </message>
    <message>
        <source>Choose {names}.</source>
        <translation>Wähle {names}.</translation>
    </message>
    <message>
        <source>Choose: {label}</source>
        <translation>Wählen: {label}</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Wählen…</translation>
    </message>
    <message>
        <source>Chosen automatically to fit</source>
        <translation>Automatisch passend gewählt</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Clear draft</source>
        <translation>Entwurf leeren</translation>
    </message>
    <message>
        <source>Clear filters</source>
        <translation>Filter aufheben</translation>
    </message>
    <message>
        <source>Clear list</source>
        <translation>Liste leeren</translation>
    </message>
    <message>
        <source>Clear search</source>
        <translation>Suche leeren</translation>
    </message>
    <message>
        <source>Clear selection</source>
        <translation>Auswahl aufheben</translation>
    </message>
    <message>
        <source>Clear the list of connections</source>
        <translation>Liste der Verbindungen leeren</translation>
    </message>
    <message>
        <source>Clear, honest answers to everyday questions</source>
        <translation>Klare, ehrliche Antworten auf Alltagsfragen</translation>
    </message>
    <message>
        <source>Click a shortcut to change it.</source>
        <translation>Klicke auf ein Tastenkürzel, um es zu ändern.</translation>
    </message>
    <message>
        <source>Click a token to branch from here.</source>
        <translation>Klicke auf ein Token, um von hier zu verzweigen.</translation>
    </message>
    <message>
        <source>Clients may download models</source>
        <translation>Clients dürfen Modelle herunterladen</translation>
    </message>
    <message>
        <source>Clients may increase the context length</source>
        <translation>Clients dürfen die Kontextlänge erhöhen</translation>
    </message>
    <message>
        <source>Clients that name such a model have their messages sent to its server.</source>
        <translation>Nachrichten von Clients, die ein solches Modell nennen, gehen an dessen Server.</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>Schließen (Esc)</translation>
    </message>
    <message>
        <source>Close artifact</source>
        <translation>Artefakt schließen</translation>
    </message>
    <message>
        <source>Close artifacts</source>
        <translation>Artefakte schließen</translation>
    </message>
    <message>
        <source>Close chat</source>
        <translation>Chat schließen</translation>
    </message>
    <message>
        <source>Close chat settings</source>
        <translation>Chat-Einstellungen schließen</translation>
    </message>
    <message>
        <source>Close document</source>
        <translation>Dokument schließen</translation>
    </message>
    <message>
        <source>Close other programs, or choose a smaller model.</source>
        <translation>Schließe andere Programme, oder wähle ein kleineres Modell.</translation>
    </message>
    <message>
        <source>Close the temporary chat?</source>
        <translation>Temporären Chat schließen?</translation>
    </message>
    <message>
        <source>Close window</source>
        <translation>Fenster schließen</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>Code reviewer</source>
        <translation>Code-Prüfer</translation>
    </message>
    <message>
        <source>Code.</source>
        <translation>Code.</translation>
    </message>
    <message>
        <source>Collect folders and files, search them, and let chats answer from them with citations. Everything stays on this computer.</source>
        <translation>Sammle Ordner und Dateien, durchsuche sie und lass Chats mit Quellenangaben daraus antworten. Alles bleibt auf diesem Computer.</translation>
    </message>
    <message>
        <source>Collections</source>
        <translation>Sammlungen</translation>
    </message>
    <message>
        <source>Collections with fewer tokens are sent whole if the context has room, not in passages.</source>
        <translation>Sammlungen mit weniger Token werden ganz gesendet statt in Textstellen, wenn der Kontext Platz hat.</translation>
    </message>
    <message>
        <source>Collections: {names}</source>
        <translation>Sammlungen: {names}</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>Farbe</translation>
    </message>
    <message>
        <source>Colour of buttons, highlights and your messages.</source>
        <translation>Farbe von Schaltflächen, Hervorhebungen und deinen Nachrichten.</translation>
    </message>
    <message>
        <source>Colours: {levels}</source>
        <translation>Farben: {levels}</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>Columns of {name}</source>
        <translation>Spalten von {name}</translation>
    </message>
    <message>
        <source>Comfortable</source>
        <translation>Komfortabel</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Command or address</source>
        <translation>Befehl oder Adresse</translation>
    </message>
    <message>
        <source>Command palette</source>
        <translation>Befehlspalette</translation>
    </message>
    <message>
        <source>Compact</source>
        <translation>Kompakt</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message numerus="yes">
        <source>Compare %n answer|Compare %n answers</source>
        <translation>
            <numerusform>%n Antwort vergleichen</numerusform>
            <numerusform>%n Antworten vergleichen</numerusform>
        </translation>
    </message>
    <message>
        <source>Compare answers</source>
        <translation>Antworten vergleichen</translation>
    </message>
    <message>
        <source>Compare answers…</source>
        <translation>Antworten vergleichen…</translation>
    </message>
    <message>
        <source>Compare models</source>
        <translation>Modelle vergleichen</translation>
    </message>
    <message>
        <source>Compare models…</source>
        <translation>Modelle vergleichen…</translation>
    </message>
    <message>
        <source>Compare two things</source>
        <translation>Zwei Dinge vergleichen</translation>
    </message>
    <message>
        <source>Compare versions side by side</source>
        <translation>Versionen nebeneinander vergleichen</translation>
    </message>
    <message>
        <source>Compare {{first}} and {{second}} in a table with the rows that matter most, then say in two sentences when I should take which.</source>
        <translation>Vergleiche {{Erstes}} und {{Zweites}} in einer Tabelle mit den Zeilen, auf die es am meisten ankommt, und sag dann in zwei Sätzen, wann ich welches nehmen sollte.</translation>
    </message>
    <message>
        <source>Component of Fireside</source>
        <translation>Komponente von Fireside</translation>
    </message>
    <message>
        <source>Compute buffer</source>
        <translation>Rechenpuffer</translation>
    </message>
    <message>
        <source>Computes arithmetic, statistics and math functions.</source>
        <translation>Berechnet Arithmetik, Statistik und mathematische Funktionen.</translation>
    </message>
    <message>
        <source>Computing probabilities…</source>
        <translation>Wahrscheinlichkeiten werden berechnet…</translation>
    </message>
    <message>
        <source>Concurrent downloads</source>
        <translation>Gleichzeitige Downloads</translation>
    </message>
    <message>
        <source>Configuration</source>
        <translation>Konfiguration</translation>
    </message>
    <message>
        <source>Confirm</source>
        <translation>Bestätigen</translation>
    </message>
    <message>
        <source>Confirm {name}</source>
        <translation>{name} bestätigen</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>Verbindung wird aufgebaut…</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>Verbindung</translation>
    </message>
    <message>
        <source>Connection refused</source>
        <translation>die Verbindung wurde abgelehnt</translation>
    </message>
    <message>
        <source>Connections</source>
        <translation>Verbindungen</translation>
    </message>
    <message>
        <source>Connections and access tokens</source>
        <translation>Verbindungen und Zugriffstoken</translation>
    </message>
    <message>
        <source>Constrains what the model can write.</source>
        <translation>Legt fest, was das Modell schreiben kann.</translation>
    </message>
    <message>
        <source>Content of the file</source>
        <translation>Inhalt der Datei</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message numerus="yes">
        <source>Context full: %n older token was dropped.|Context full: %n older tokens were dropped.</source>
        <translation>
            <numerusform>Kontext voll: %n älteres Token wurde verworfen.</numerusform>
            <numerusform>Kontext voll: %n ältere Tokens wurden verworfen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Context full: 1 message after the summary was dropped.|Context full: %n messages after the summary were dropped.</source>
        <translation>
            <numerusform>Kontext voll: 1 Nachricht nach der Zusammenfassung wurde weggelassen.</numerusform>
            <numerusform>Kontext voll: %n Nachrichten nach der Zusammenfassung wurden weggelassen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Context full: the oldest message was dropped.|Context full: the %n oldest messages were dropped.</source>
        <translation>
            <numerusform>Kontext voll: Die älteste Nachricht wurde weggelassen.</numerusform>
            <numerusform>Kontext voll: Die %n ältesten Nachrichten wurden weggelassen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Context length</source>
        <translation>Kontextlänge</translation>
    </message>
    <message>
        <source>Context length the model was trained for</source>
        <translation>Kontextlänge, für die das Modell trainiert wurde</translation>
    </message>
    <message>
        <source>Context usage</source>
        <translation>Kontextbelegung</translation>
    </message>
    <message numerus="yes">
        <source>Context: %n token|Context: %n tokens</source>
        <translation>
            <numerusform>Kontext: %n Token</numerusform>
            <numerusform>Kontext: %n Tokens</numerusform>
        </translation>
    </message>
    <message>
        <source>Context: {use}</source>
        <translation>Kontext: {use}</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Continue last answer</source>
        <translation>Letzte Antwort fortsetzen</translation>
    </message>
    <message>
        <source>Continue reading</source>
        <translation>Weiterlesen</translation>
    </message>
    <message>
        <source>Continue without token</source>
        <translation>Ohne Token fortfahren</translation>
    </message>
    <message>
        <source>Contrast</source>
        <translation>Kontrast</translation>
    </message>
    <message>
        <source>Control vector layers</source>
        <translation>Schichten der Steuervektoren</translation>
    </message>
    <message>
        <source>Control vector strengths</source>
        <translation>Stärken der Steuervektoren</translation>
    </message>
    <message>
        <source>Control vectors</source>
        <translation>Steuervektoren</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Copied as plain text</source>
        <translation>Als reiner Text kopiert</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy all</source>
        <translation>Alle kopieren</translation>
    </message>
    <message>
        <source>Copy all connections</source>
        <translation>Alle Verbindungen kopieren</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>Als Markdown kopieren</translation>
    </message>
    <message>
        <source>Copy as formatted text</source>
        <translation>Als formatierten Text kopieren</translation>
    </message>
    <message>
        <source>Copy as plain text</source>
        <translation>Als reinen Text kopieren</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>Als Text kopieren</translation>
    </message>
    <message>
        <source>Copy base URL</source>
        <translation>Basis-URL kopieren</translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation>Code kopieren</translation>
    </message>
    <message>
        <source>Copy code, {name}</source>
        <translation>Code kopieren, {name}</translation>
    </message>
    <message>
        <source>Copy example</source>
        <translation>Beispiel kopieren</translation>
    </message>
    <message>
        <source>Copy it now: it is not shown again.</source>
        <translation>Kopiere es jetzt: Es wird nicht noch einmal angezeigt.</translation>
    </message>
    <message>
        <source>Copy last answer</source>
        <translation>Letzte Antwort kopieren</translation>
    </message>
    <message>
        <source>Copy link address</source>
        <translation>Linkadresse kopieren</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>Pfad kopieren</translation>
    </message>
    <message>
        <source>Copy path {path}</source>
        <translation>Pfad {path} kopieren</translation>
    </message>
    <message>
        <source>Copy the address</source>
        <translation>Adresse kopieren</translation>
    </message>
    <message>
        <source>Copy the new access token</source>
        <translation>Neues Zugriffstoken kopieren</translation>
    </message>
    <message>
        <source>Copy: {name}</source>
        <translation>Kopieren: {name}</translation>
    </message>
    <message>
        <source>Copying</source>
        <translation>Wird kopiert</translation>
    </message>
    <message>
        <source>Copying: {n_done} of {n_files} files, {done} of {all}.</source>
        <translation>Kopieren: {n_done} von {n_files} Dateien, {done} von {all}.</translation>
    </message>
    <message>
        <source>Cores</source>
        <translation>Kerne</translation>
    </message>
    <message>
        <source>Corrects wrong metadata, one name=type:value per line; types are int, float, bool and str.</source>
        <translation>Berichtigt falsche Metadaten, ein Name=Typ:Wert pro Zeile; Typen sind int, float, bool und str.</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Could not check what fits this computer.</source>
        <translation>Es ließ sich nicht prüfen, was auf diesen Computer passt.</translation>
    </message>
    <message>
        <source>Couldn&apos;t reach {host}: {reason}</source>
        <translation>{host} ist nicht erreichbar: {reason}</translation>
    </message>
    <message>
        <source>Crashed</source>
        <translation>Abgestürzt</translation>
    </message>
    <message>
        <source>Crashed: {cause}</source>
        <translation>Abgestürzt: {cause}</translation>
    </message>
    <message>
        <source>Create</source>
        <translation>Erstellen</translation>
    </message>
    <message>
        <source>Created</source>
        <translation>Erstellt</translation>
    </message>
    <message>
        <source>Current settings</source>
        <translation>Aktuelle Einstellungen</translation>
    </message>
    <message>
        <source>Custom</source>
        <translation>Eigene</translation>
    </message>
    <message>
        <source>Custom shortcuts, one “command=keys” per line. Easier to edit under Keyboard shortcuts.</source>
        <translation>Eigene Tastenkürzel, ein „Befehl=Tasten“ pro Zeile. Bequemer unter „Tastenkürzel“ zu ändern.</translation>
    </message>
    <message>
        <source>DRY allowed length</source>
        <translation>DRY-Freilänge</translation>
    </message>
    <message>
        <source>DRY base</source>
        <translation>DRY-Basis</translation>
    </message>
    <message>
        <source>DRY last N</source>
        <translation>DRY-Fenster</translation>
    </message>
    <message>
        <source>DRY multiplier</source>
        <translation>DRY-Multiplikator</translation>
    </message>
    <message>
        <source>DRY sequence breakers</source>
        <translation>DRY-Sequenztrenner</translation>
    </message>
    <message>
        <source>Daily backups</source>
        <translation>Tägliche Sicherung</translation>
    </message>
    <message>
        <source>Damaged</source>
        <translation>Beschädigt</translation>
    </message>
    <message>
        <source>Damaged; can be repaired</source>
        <translation>Beschädigt; reparierbar</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Data folder</source>
        <translation>Datenordner</translation>
    </message>
    <message>
        <source>Data folder changes to {path} after a restart.</source>
        <translation>Der Datenordner wechselt nach einem Neustart zu {path}.</translation>
    </message>
    <message>
        <source>Data folder: {path}</source>
        <translation>Datenordner: {path}</translation>
    </message>
    <message>
        <source>Data folders</source>
        <translation>Datenordner</translation>
    </message>
    <message>
        <source>Data packages</source>
        <translation>Datenpakete</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>Datum</translation>
    </message>
    <message>
        <source>Date added</source>
        <translation>Hinzugefügt</translation>
    </message>
    <message>
        <source>Date and time</source>
        <translation>Datum und Uhrzeit</translation>
    </message>
    <message>
        <source>Dec</source>
        <translation>Dez.</translation>
    </message>
    <message>
        <source>December</source>
        <translation>Dezember</translation>
    </message>
    <message>
        <source>Decline</source>
        <translation>Ablehnen</translation>
    </message>
    <message>
        <source>Decrypt my data</source>
        <translation>Daten entschlüsseln</translation>
    </message>
    <message>
        <source>Decrypting your data</source>
        <translation>Daten werden entschlüsselt</translation>
    </message>
    <message>
        <source>Default ({name})</source>
        <translation>Standard ({name})</translation>
    </message>
    <message>
        <source>Default location</source>
        <translation>Standardort</translation>
    </message>
    <message>
        <source>Default model</source>
        <translation>Standardmodell</translation>
    </message>
    <message>
        <source>Default value</source>
        <translation>Standardwert</translation>
    </message>
    <message>
        <source>Default value of {name}</source>
        <translation>Standardwert von {name}</translation>
    </message>
    <message>
        <source>Defaults are used</source>
        <translation>Standardwerte werden verwendet</translation>
    </message>
    <message>
        <source>Defaults; models and chats can override them.</source>
        <translation>Standardwerte; Modelle und Chats können sie überschreiben.</translation>
    </message>
    <message>
        <source>Defines how chats are formatted for the model</source>
        <translation>Legt fest, wie Chats für das Modell formatiert werden</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message numerus="yes">
        <source>Delete %n chat|Delete %n chats</source>
        <translation>
            <numerusform>%n Chat löschen</numerusform>
            <numerusform>%n Chats löschen</numerusform>
        </translation>
    </message>
    <message>
        <source>Delete chat</source>
        <translation>Chat löschen</translation>
    </message>
    <message>
        <source>Delete fact</source>
        <translation>Angabe löschen</translation>
    </message>
    <message>
        <source>Delete files?</source>
        <translation>Dateien löschen?</translation>
    </message>
    <message>
        <source>Delete folder, keep its chats</source>
        <translation>Ordner löschen, Chats behalten</translation>
    </message>
    <message>
        <source>Delete last message</source>
        <translation>Letzte Nachricht löschen</translation>
    </message>
    <message>
        <source>Delete model</source>
        <translation>Modell löschen</translation>
    </message>
    <message>
        <source>Delete only this message</source>
        <translation>Nur diese Nachricht löschen</translation>
    </message>
    <message>
        <source>Delete project, keep its chats</source>
        <translation>Projekt löschen, Chats behalten</translation>
    </message>
    <message>
        <source>Delete this and everything after</source>
        <translation>Diese und alle folgenden löschen</translation>
    </message>
    <message>
        <source>Delete {name}</source>
        <translation>{name} löschen</translation>
    </message>
    <message>
        <source>Delete “{name}”?</source>
        <translation>„{name}“ löschen?</translation>
    </message>
    <message>
        <source>Deletes this chat when the card is closed</source>
        <translation>Löscht diesen Chat, wenn die Karte geschlossen wird</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>Löschen…</translation>
    </message>
    <message>
        <source>Denied</source>
        <translation>Abgelehnt</translation>
    </message>
    <message>
        <source>Density</source>
        <translation>Dichte</translation>
    </message>
    <message>
        <source>Deny</source>
        <translation>Ablehnen</translation>
    </message>
    <message>
        <source>Descending; click to reverse</source>
        <translation>Absteigend; klicken zum Umkehren</translation>
    </message>
    <message>
        <source>Describes images and answers questions about them, on an ordinary laptop.</source>
        <translation>Beschreibt Bilder und beantwortet Fragen dazu, auf einem gewöhnlichen Laptop.</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>Beschreibung</translation>
    </message>
    <message>
        <source>Detach collection</source>
        <translation>Sammlung lösen</translation>
    </message>
    <message>
        <source>Detach {name}</source>
        <translation>{name} lösen</translation>
    </message>
    <message>
        <source>Detach {name} from folder</source>
        <translation>{name} vom Ordner lösen</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Detecting hardware…</source>
        <translation>Hardware wird erkannt…</translation>
    </message>
    <message>
        <source>Device or resource busy</source>
        <translation>das Gerät ist belegt</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>Devices of this computer, who uses their memory, and builds of llama.cpp.</source>
        <translation>Geräte dieses Computers, wer ihren Speicher belegt, und Builds von llama.cpp.</translation>
    </message>
    <message>
        <source>Diagram</source>
        <translation>Schaubild</translation>
    </message>
    <message>
        <source>Dictate</source>
        <translation>Diktieren</translation>
    </message>
    <message>
        <source>Dictate, listen and talk, on this computer alone.</source>
        <translation>Diktieren, zuhören und sprechen, nur auf diesem Computer.</translation>
    </message>
    <message>
        <source>Dictate, listen and talk, on this computer alone. Recommended for your language:</source>
        <translation>Diktieren, zuhören und sprechen, nur auf diesem Computer. Empfohlen für deine Sprache:</translation>
    </message>
    <message>
        <source>Dictation discarded</source>
        <translation>Diktat verworfen</translation>
    </message>
    <message>
        <source>Dictation, natural voices, talks and transcripts end until it is downloaded again.</source>
        <translation>Diktieren, natürliche Stimmen, Unterhaltungen und Transkripte gibt es dann nicht, bis sie wieder heruntergeladen ist.</translation>
    </message>
    <message>
        <source>Different settings…</source>
        <translation>Andere Einstellungen…</translation>
    </message>
    <message>
        <source>Differs from the original. “Repair” downloads only the damaged parts.</source>
        <translation>Weicht vom Original ab. „Reparieren“ lädt nur die beschädigten Teile neu.</translation>
    </message>
    <message>
        <source>Directory not empty</source>
        <translation>der Ordner ist nicht leer</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Discard the {arrived} downloaded so far?</source>
        <translation>Die bisher heruntergeladenen {arrived} verwerfen?</translation>
    </message>
    <message>
        <source>Disk quota exceeded</source>
        <translation>dein Anteil am Datenträger ist verbraucht</translation>
    </message>
    <message>
        <source>Disk space for resuming chats at once, even after a restart. Auto uses 8 GB or 10% of free space, whichever is less; Off deletes the cache.</source>
        <translation>Speicherplatz, um Chats sofort fortzusetzen, auch nach einem Neustart. „Auto“ nimmt 8 GB oder 10 % des freien Platzes, je nachdem, was weniger ist; „Aus“ löscht den Cache.</translation>
    </message>
    <message>
        <source>Disk usage</source>
        <translation>Speicherplatz</translation>
    </message>
    <message>
        <source>Disk usage by folder</source>
        <translation>Speicherplatz nach Ordner</translation>
    </message>
    <message>
        <source>Disk usage by model</source>
        <translation>Speicherplatz nach Modell</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Distribute (all nodes)</source>
        <translation>Verteilen (alle Knoten)</translation>
    </message>
    <message>
        <source>Do not fit right now</source>
        <translation>Passen gerade nicht</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>Dokument</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>Dokumente</translation>
    </message>
    <message>
        <source>Documents, text, images, audio and videos</source>
        <translation>Dokumente, Text, Bilder, Audio und Videos</translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation>Passt nicht</translation>
    </message>
    <message>
        <source>Does not fit right now</source>
        <translation>Passt gerade nicht</translation>
    </message>
    <message>
        <source>Does not fit right now: {need}, {usable} free.</source>
        <translation>Passt gerade nicht: {need}, {usable} frei.</translation>
    </message>
    <message>
        <source>Does not fit this computer</source>
        <translation>Passt nicht auf diesen Computer</translation>
    </message>
    <message>
        <source>Does not fit this computer: {need}, at most {usable} can be used.</source>
        <translation>Passt nicht auf diesen Computer: {need}, höchstens {usable} sind nutzbar.</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>Herunterladen</translation>
    </message>
    <message>
        <source>Download a model that fits this computer, or drop GGUF files anywhere on this window. Files stay where they are.</source>
        <translation>Lade ein Modell herunter, das auf diesen Computer passt, oder zieh GGUF-Dateien auf dieses Fenster. Dateien bleiben, wo sie sind.</translation>
    </message>
    <message>
        <source>Download location</source>
        <translation>Speicherort für Downloads</translation>
    </message>
    <message>
        <source>Download media formats…</source>
        <translation>Medienformate herunterladen…</translation>
    </message>
    <message>
        <source>Download models</source>
        <translation>Modelle herunterladen</translation>
    </message>
    <message>
        <source>Download of {name}</source>
        <translation>Download von {name}</translation>
    </message>
    <message>
        <source>Download of {name} cancelled</source>
        <translation>Download von {name} abgebrochen</translation>
    </message>
    <message>
        <source>Download of {name} failed</source>
        <translation>Download von {name} fehlgeschlagen</translation>
    </message>
    <message>
        <source>Download of {subject}</source>
        <translation>Download: {subject}</translation>
    </message>
    <message>
        <source>Download speed limit</source>
        <translation>Download-Limit</translation>
    </message>
    <message>
        <source>Download update</source>
        <translation>Update herunterladen</translation>
    </message>
    <message>
        <source>Download update of {subject}</source>
        <translation>Update herunterladen: {subject}</translation>
    </message>
    <message>
        <source>Download {name}</source>
        <translation>{name} herunterladen</translation>
    </message>
    <message>
        <source>Download {name} ({size})</source>
        <translation>{name} herunterladen ({size})</translation>
    </message>
    <message>
        <source>Download {subject}</source>
        <translation>Herunterladen: {subject}</translation>
    </message>
    <message>
        <source>Downloaded</source>
        <translation>Heruntergeladen</translation>
    </message>
    <message>
        <source>Downloaded and verified {done} of {all}.</source>
        <translation>{done} von {all} heruntergeladen und geprüft.</translation>
    </message>
    <message>
        <source>Downloaded from</source>
        <translation>Heruntergeladen von</translation>
    </message>
    <message>
        <source>Downloaded models are stored in {folder}. You can move them to another folder or drive.</source>
        <translation>Heruntergeladene Modelle liegen in {folder}. Du kannst sie in einen anderen Ordner oder auf ein anderes Laufwerk verschieben.</translation>
    </message>
    <message>
        <source>Downloading</source>
        <translation>Wird heruntergeladen</translation>
    </message>
    <message>
        <source>Downloading “{name}”…</source>
        <translation>„{name}“ wird heruntergeladen…</translation>
    </message>
    <message>
        <source>Downloading, {percent}%</source>
        <translation>Wird heruntergeladen, {percent} %</translation>
    </message>
    <message>
        <source>Downloading…</source>
        <translation>Wird heruntergeladen…</translation>
    </message>
    <message>
        <source>Downloads</source>
        <translation>Downloads</translation>
    </message>
    <message>
        <source>Downloads the damaged parts again</source>
        <translation>Lädt die beschädigten Teile neu herunter</translation>
    </message>
    <message>
        <source>Downloads this month</source>
        <translation>Downloads im Monat</translation>
    </message>
    <message>
        <source>Downloads: {parts}</source>
        <translation>Downloads: {parts}</translation>
    </message>
    <message>
        <source>Download…</source>
        <translation>Herunterladen…</translation>
    </message>
    <message>
        <source>Draft model</source>
        <translation>Entwurfsmodell</translation>
    </message>
    <message>
        <source>Draft model CPU threads</source>
        <translation>CPU-Threads des Entwurfsmodells</translation>
    </message>
    <message>
        <source>Draft model GPU offload (layers)</source>
        <translation>GPU-Auslagerung des Entwurfsmodells (Schichten)</translation>
    </message>
    <message>
        <source>Draft model K cache quantization</source>
        <translation>K-Cache-Quantisierung des Entwurfsmodells</translation>
    </message>
    <message>
        <source>Draft model V cache quantization</source>
        <translation>V-Cache-Quantisierung des Entwurfsmodells</translation>
    </message>
    <message>
        <source>Draft model context length</source>
        <translation>Kontextlänge des Entwurfsmodells</translation>
    </message>
    <message>
        <source>Draft models</source>
        <translation>Entwurfsmodelle</translation>
    </message>
    <message>
        <source>Draft tokens</source>
        <translation>Vorgeschlagene Tokens</translation>
    </message>
    <message>
        <source>Drafts</source>
        <translation>Entwürfe</translation>
    </message>
    <message>
        <source>Drafts by the model’s own heads</source>
        <translation>Entwürfe der Köpfe des Modells</translation>
    </message>
    <message>
        <source>Drag chats here</source>
        <translation>Chats hierher ziehen</translation>
    </message>
    <message>
        <source>Drag to reorder, or press Alt with an arrow key</source>
        <translation>Zum Umsortieren ziehen oder Alt mit einer Pfeiltaste drücken</translation>
    </message>
    <message>
        <source>Draw charts of answers that are written in Vega-Lite.</source>
        <translation>Zeichnet Grafiken aus Antworten, die in Vega-Lite geschrieben sind.</translation>
    </message>
    <message>
        <source>Draw diagrams of answers in the browser.</source>
        <translation>Zeichnet Diagramme aus Antworten im Browser.</translation>
    </message>
    <message>
        <source>Drive not connected</source>
        <translation>Laufwerk fehlt</translation>
    </message>
    <message>
        <source>Driver</source>
        <translation>Treiber</translation>
    </message>
    <message>
        <source>Drives the display</source>
        <translation>Steuert den Bildschirm</translation>
    </message>
    <message>
        <source>Drop a folder with a SKILL.md or an archive here. Skills in the folders of Claude Code, Codex and others, such as ~/.agents/skills, are listed automatically.</source>
        <translation>Lege einen Ordner mit einer SKILL.md oder ein Archiv hier ab. Skills in den Ordnern von Claude Code, Codex und anderen, etwa ~/.agents/skills, werden automatisch aufgelistet.</translation>
    </message>
    <message>
        <source>Drop files or folders here. They stay where they are.</source>
        <translation>Dateien oder Ordner hier ablegen. Sie bleiben, wo sie sind.</translation>
    </message>
    <message>
        <source>Drop oldest messages</source>
        <translation>Älteste Nachrichten weglassen</translation>
    </message>
    <message>
        <source>Drop oldest tokens</source>
        <translation>Älteste Tokens verwerfen</translation>
    </message>
    <message>
        <source>Drop to add models</source>
        <translation>Ablegen, um Modelle hinzuzufügen</translation>
    </message>
    <message>
        <source>Drop to add to “{name}”</source>
        <translation>Loslassen, um zu „{name}“ hinzuzufügen</translation>
    </message>
    <message>
        <source>Drop to attach</source>
        <translation>Zum Anhängen ablegen</translation>
    </message>
    <message>
        <source>Drop to import chats</source>
        <translation>Ablegen, um Chats zu importieren</translation>
    </message>
    <message>
        <source>Drop to make a collection</source>
        <translation>Loslassen, um eine Sammlung zu erstellen</translation>
    </message>
    <message>
        <source>Drops several at once to keep replies fast.</source>
        <translation>Lässt mehrere auf einmal weg, damit Antworten schnell bleiben.</translation>
    </message>
    <message>
        <source>Drops tokens less likely than this share of the most likely one. 0 is off.</source>
        <translation>Verwirft Tokens, die unwahrscheinlicher sind als dieser Anteil des wahrscheinlichsten. 0 schaltet es aus.</translation>
    </message>
    <message>
        <source>Drops tokens more than this many standard deviations below the best. 0 is off.</source>
        <translation>Verwirft Tokens, die um mehr als so viele Standardabweichungen unter dem besten liegen. 0 schaltet es aus.</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>Duplizieren</translation>
    </message>
    <message>
        <source>Duplicate in {place}, no extra space</source>
        <translation>Duplikat in {place}, kein zusätzlicher Platz</translation>
    </message>
    <message>
        <source>Duplicate in {place}, {size} extra</source>
        <translation>Duplikat in {place}, {size} zusätzlich</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Dynamic temperature exponent</source>
        <translation>Exponent der dynamischen Temperatur</translation>
    </message>
    <message>
        <source>Dynamic temperature range</source>
        <translation>Bereich der dynamischen Temperatur</translation>
    </message>
    <message>
        <source>Each backup contains all chats at that time and was verified.</source>
        <translation>Jede Sicherung enthält alle Chats von damals und wurde geprüft.</translation>
    </message>
    <message>
        <source>Each call of this tool shows you first what it would do.</source>
        <translation>Jeder Aufruf dieses Werkzeugs zeigt dir vorher, was er tun würde.</translation>
    </message>
    <message>
        <source>Each device gets a token of its own, which you can revoke at any time.</source>
        <translation>Jedes Gerät bekommt ein eigenes Token, das sich jederzeit widerrufen lässt.</translation>
    </message>
    <message>
        <source>Each includes a projector ({size}): {media}.</source>
        <translation>Jede enthält einen Projektor ({size}): {media}.</translation>
    </message>
    <message>
        <source>Each includes draft heads (MTP, {size}), which make answers faster.</source>
        <translation>Jede bringt Entwurfsköpfe mit (MTP, {size}), die Antworten schneller machen.</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Edit and run…</source>
        <translation>Bearbeiten und ausführen…</translation>
    </message>
    <message>
        <source>Edit answer</source>
        <translation>Antwort bearbeiten</translation>
    </message>
    <message>
        <source>Edit fact</source>
        <translation>Angabe bearbeiten</translation>
    </message>
    <message>
        <source>Edit file</source>
        <translation>Datei bearbeiten</translation>
    </message>
    <message>
        <source>Edit last message</source>
        <translation>Letzte Nachricht bearbeiten</translation>
    </message>
    <message>
        <source>Edit last message, in an empty field</source>
        <translation>Letzte Nachricht bearbeiten, im leeren Feld</translation>
    </message>
    <message>
        <source>Edit message</source>
        <translation>Nachricht bearbeiten</translation>
    </message>
    <message>
        <source>Edit queued message</source>
        <translation>Wartende Nachricht bearbeiten</translation>
    </message>
    <message>
        <source>Edit summary</source>
        <translation>Zusammenfassung bearbeiten</translation>
    </message>
    <message>
        <source>Edited</source>
        <translation>Bearbeitet</translation>
    </message>
    <message>
        <source>Effects outside by: {names}.</source>
        <translation>Wirkung nach außen durch: {names}.</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>Elemente</translation>
    </message>
    <message>
        <source>Embedding</source>
        <translation>Embedding</translation>
    </message>
    <message>
        <source>Embedding model</source>
        <translation>Embedding-Modell</translation>
    </message>
    <message>
        <source>Embedding model: for search and similarity. Cannot chat.</source>
        <translation>Embedding-Modell: für Suche und Ähnlichkeit. Kann nicht chatten.</translation>
    </message>
    <message>
        <source>Embedding: {done} of {files}</source>
        <translation>Einbetten: {done} von {files}</translation>
    </message>
    <message>
        <source>Embeddings</source>
        <translation>Embeddings</translation>
    </message>
    <message>
        <source>Embeddings for search; cannot chat</source>
        <translation>Embeddings für die Suche; kann nicht chatten</translation>
    </message>
    <message>
        <source>Embedding…</source>
        <translation>Wird eingebettet…</translation>
    </message>
    <message>
        <source>Ember</source>
        <translation>Glut</translation>
    </message>
    <message>
        <source>Empty answer</source>
        <translation>Leere Antwort</translation>
    </message>
    <message>
        <source>Empty for huggingface.co. Another address needs an access token of its own.</source>
        <translation>Leer für huggingface.co. Eine andere Adresse braucht ein eigenes Zugriffstoken.</translation>
    </message>
    <message>
        <source>Empty for the microphone of the system.</source>
        <translation>Leer für das Mikrofon des Systems.</translation>
    </message>
    <message>
        <source>Empty for the output of the system.</source>
        <translation>Leer für die Ausgabe des Systems.</translation>
    </message>
    <message>
        <source>Encrypt my data</source>
        <translation>Daten verschlüsseln</translation>
    </message>
    <message>
        <source>Encrypting your data</source>
        <translation>Daten werden verschlüsselt</translation>
    </message>
    <message>
        <source>English</source>
        <translation>Englisch</translation>
    </message>
    <message>
        <source>English alone, in capitals; words appear while you speak.</source>
        <translation>Nur Englisch, in Großbuchstaben; Wörter erscheinen beim Sprechen.</translation>
    </message>
    <message>
        <source>English alone; the quickest of all, for any computer.</source>
        <translation>Nur Englisch; am schnellsten von allen, für jeden Computer.</translation>
    </message>
    <message>
        <source>English embeddings; small and fast. Cannot chat.</source>
        <translation>Englische Embeddings; klein und schnell. Kann nicht chatten.</translation>
    </message>
    <message>
        <source>Enter a JSON object, such as {&quot;enable_thinking&quot;: false}.</source>
        <translation>Gib ein JSON-Objekt ein, etwa {&quot;enable_thinking&quot;: false}.</translation>
    </message>
    <message>
        <source>Enter a URL such as “https://gpu.example.org:8000”.</source>
        <translation>Gib eine URL wie „https://gpu.example.org:8000“ ein.</translation>
    </message>
    <message>
        <source>Enter at most {most} characters.</source>
        <translation>Gib höchstens {most} Zeichen ein.</translation>
    </message>
    <message>
        <source>Enter at most {most} files or folders with their full paths.</source>
        <translation>Gib höchstens {most} Dateien oder Ordner mit vollständigem Pfad an.</translation>
    </message>
    <message>
        <source>Enter at most {most} texts of 1 to {longest} characters each.</source>
        <translation>Gib höchstens {most} Texte mit je 1 bis {longest} Zeichen ein.</translation>
    </message>
    <message>
        <source>Enter one line of at most {most} characters.</source>
        <translation>Gib eine Zeile mit höchstens {most} Zeichen ein.</translation>
    </message>
    <message>
        <source>Enter the full path of a file, or leave empty for none.</source>
        <translation>Gib den vollständigen Pfad einer Datei an oder lass das Feld leer.</translation>
    </message>
    <message>
        <source>Enter the full path of a folder, or leave empty for the default.</source>
        <translation>Gib den vollständigen Pfad eines Ordners an oder lass das Feld leer für den Standard.</translation>
    </message>
    <message>
        <source>Enter the key in its own field, not in the address.</source>
        <translation>Gib den Schlüssel im eigenen Feld ein, nicht in der Adresse.</translation>
    </message>
    <message>
        <source>Enter to save, Esc to cancel</source>
        <translation>Enter speichert, Esc bricht ab</translation>
    </message>
    <message>
        <source>Enter to send, Esc to cancel</source>
        <translation>Enter sendet, Esc bricht ab</translation>
    </message>
    <message>
        <source>Enter your passphrase to read your chats.</source>
        <translation>Passphrase eingeben, um die Chats zu lesen.</translation>
    </message>
    <message>
        <source>Estimate; exact once the model is loaded.</source>
        <translation>Schätzung; genau, sobald das Modell geladen ist.</translation>
    </message>
    <message>
        <source>Estimated</source>
        <translation>Geschätzt</translation>
    </message>
    <message>
        <source>Estimated from the file’s header; llama.cpp gives exact figures</source>
        <translation>Aus den Metadaten der Datei geschätzt; genaue Zahlen kommen von llama.cpp</translation>
    </message>
    <message>
        <source>Every connection since Fireside started. The list is only in memory.</source>
        <translation>Jede Verbindung seit dem Start von Fireside. Die Liste steht nur im Arbeitsspeicher.</translation>
    </message>
    <message>
        <source>Everyday chat</source>
        <translation>Alltagschat</translation>
    </message>
    <message>
        <source>Everything is also in the chat.</source>
        <translation>Alles steht auch im Chat.</translation>
    </message>
    <message>
        <source>Everywhere</source>
        <translation>Überall</translation>
    </message>
    <message>
        <source>Example</source>
        <translation>Beispiel</translation>
    </message>
    <message>
        <source>Example chat as sent to the model</source>
        <translation>Beispielchat, wie er an das Modell gesendet wird</translation>
    </message>
    <message>
        <source>Example: {name}</source>
        <translation>Beispiel: {name}</translation>
    </message>
    <message>
        <source>Exceeds the context</source>
        <translation>Überschreitet den Kontext</translation>
    </message>
    <message numerus="yes">
        <source>Exceeds the context: %n token needed, the context holds {size}.|Exceeds the context: %n tokens needed, the context holds {size}.</source>
        <translation>
            <numerusform>Überschreitet den Kontext: %n Token nötig, der Kontext fasst {size}.</numerusform>
            <numerusform>Überschreitet den Kontext: %n Tokens nötig, der Kontext fasst {size}.</numerusform>
        </translation>
    </message>
    <message>
        <source>Excel: the tables, each on a sheet of its own.</source>
        <translation>Excel: die Tabellen, jede auf einem eigenen Blatt.</translation>
    </message>
    <message>
        <source>Excluded GPUs</source>
        <translation>Ausgeschlossene GPUs</translation>
    </message>
    <message>
        <source>Exec format error</source>
        <translation>das ist kein Programm für diesen Computer</translation>
    </message>
    <message numerus="yes">
        <source>Experts of %n layer on the CPU|Experts of %n layers on the CPU</source>
        <translation>
            <numerusform>Experten von %n Schicht auf der CPU</numerusform>
            <numerusform>Experten von %n Schichten auf der CPU</numerusform>
        </translation>
    </message>
    <message>
        <source>Explain artifacts to the model</source>
        <translation>Dem Modell Artefakte erklären</translation>
    </message>
    <message>
        <source>Explain in simple words why the sky is blue.</source>
        <translation>Erkläre mit einfachen Worten, warum der Himmel blau ist.</translation>
    </message>
    <message>
        <source>Explain simply</source>
        <translation>Einfach erklären</translation>
    </message>
    <message>
        <source>Explain {{topic}} in simple words, with one example from everyday life.</source>
        <translation>Erkläre {{Thema}} in einfachen Worten, mit einem Beispiel aus dem Alltag.</translation>
    </message>
    <message>
        <source>Explains step by step and asks you back</source>
        <translation>Erklärt Schritt für Schritt und fragt nach</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message numerus="yes">
        <source>Export %n chat…|Export %n chats…</source>
        <translation>
            <numerusform>%n Chat exportieren…</numerusform>
            <numerusform>%n Chats exportieren…</numerusform>
        </translation>
    </message>
    <message>
        <source>Export all chats…</source>
        <translation>Alle Chats exportieren…</translation>
    </message>
    <message>
        <source>Export all presets…</source>
        <translation>Alle Presets exportieren…</translation>
    </message>
    <message>
        <source>Export chat</source>
        <translation>Chat exportieren</translation>
    </message>
    <message>
        <source>Export chats</source>
        <translation>Chats exportieren</translation>
    </message>
    <message>
        <source>Export chat…</source>
        <translation>Chat exportieren…</translation>
    </message>
    <message>
        <source>Export facts</source>
        <translation>Angaben exportieren</translation>
    </message>
    <message>
        <source>Export presets</source>
        <translation>Presets exportieren</translation>
    </message>
    <message>
        <source>Export preset…</source>
        <translation>Preset exportieren…</translation>
    </message>
    <message>
        <source>Export project</source>
        <translation>Projekt exportieren</translation>
    </message>
    <message>
        <source>Export to file</source>
        <translation>In Datei exportieren</translation>
    </message>
    <message>
        <source>Export to folder</source>
        <translation>In Ordner exportieren</translation>
    </message>
    <message>
        <source>Export to {path} failed: {reason}</source>
        <translation>Export nach {path} fehlgeschlagen: {reason}</translation>
    </message>
    <message>
        <source>Export “{name}”</source>
        <translation>„{name}“ exportieren</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren…</translation>
    </message>
    <message>
        <source>Extra certificates to trust (PEM file), such as a company’s own.</source>
        <translation>Zusätzlich vertrauenswürdige Zertifikate (PEM-Datei), etwa die einer Firma.</translation>
    </message>
    <message>
        <source>Extra variables for the chat template, as a JSON object.</source>
        <translation>Zusätzliche Variablen für die Chatvorlage, als JSON-Objekt.</translation>
    </message>
    <message>
        <source>Extracted text</source>
        <translation>Extrahierter Text</translation>
    </message>
    <message>
        <source>F16</source>
        <translation>F16</translation>
    </message>
    <message>
        <source>F16 (full precision)</source>
        <translation>F16 (volle Genauigkeit)</translation>
    </message>
    <message>
        <source>F32</source>
        <translation>F32</translation>
    </message>
    <message>
        <source>Fact</source>
        <translation>Angabe</translation>
    </message>
    <message>
        <source>Fact deleted</source>
        <translation>Angabe gelöscht</translation>
    </message>
    <message>
        <source>Facts exported</source>
        <translation>Angaben exportiert</translation>
    </message>
    <message>
        <source>Facts from a text, as JSON that is always valid</source>
        <translation>Fakten aus einem Text, als JSON, das immer gültig ist</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Failed to load</source>
        <translation>Laden fehlgeschlagen</translation>
    </message>
    <message>
        <source>Fair. One more word makes it strong.</source>
        <translation>Mittel. Ein Wort mehr macht sie stark.</translation>
    </message>
    <message>
        <source>Fast (about {speed} tokens/s)</source>
        <translation>Schnell (etwa {speed} Tokens/s)</translation>
    </message>
    <message>
        <source>Fast answers, summaries and rewriting on an ordinary laptop.</source>
        <translation>Schnelle Antworten, Zusammenfassungen und Umschreiben auf einem gewöhnlichen Laptop.</translation>
    </message>
    <message>
        <source>Fast enough (about {speed} tokens/s)</source>
        <translation>Schnell genug (etwa {speed} Tokens/s)</translation>
    </message>
    <message>
        <source>Faster</source>
        <translation>Schneller</translation>
    </message>
    <message>
        <source>Faster. Turned off, the KV cache uses RAM instead of GPU memory.</source>
        <translation>Schneller. Ausgeschaltet belegt der KV-Cache RAM statt GPU-Speicher.</translation>
    </message>
    <message>
        <source>Favourites</source>
        <translation>Favoriten</translation>
    </message>
    <message>
        <source>Feb</source>
        <translation>Feb.</translation>
    </message>
    <message>
        <source>February</source>
        <translation>Februar</translation>
    </message>
    <message>
        <source>Fewer makes large images cheaper and less sharp. For models with dynamic image resolution.</source>
        <translation>Weniger macht große Bilder günstiger und unschärfer. Für Modelle mit variabler Bildauflösung.</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>File exists</source>
        <translation>die Datei gibt es schon</translation>
    </message>
    <message>
        <source>File name too long</source>
        <translation>der Dateiname ist zu lang</translation>
    </message>
    <message>
        <source>File not found: {path}</source>
        <translation>Datei nicht gefunden: {path}</translation>
    </message>
    <message>
        <source>File too large</source>
        <translation>die Datei ist zu groß</translation>
    </message>
    <message>
        <source>File unreadable</source>
        <translation>Datei nicht lesbar</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Files and folders added to the library, used in place.</source>
        <translation>Dateien und Ordner, die der Bibliothek hinzugefügt wurden und an ihrem Ort bleiben.</translation>
    </message>
    <message>
        <source>Files and images</source>
        <translation>Dateien und Bilder</translation>
    </message>
    <message>
        <source>Files set aside as damaged are not encrypted: {count}. Delete them in the data folder.</source>
        <translation>Als beschädigt beiseitegelegte Dateien werden nicht verschlüsselt: {count}. Im Datenordner löschen.</translation>
    </message>
    <message>
        <source>Files stay where they are.</source>
        <translation>Dateien bleiben, wo sie sind.</translation>
    </message>
    <message>
        <source>Files that steer the model’s responses, made for this model.</source>
        <translation>Dateien, die die Antworten des Modells lenken; für genau dieses Modell.</translation>
    </message>
    <message>
        <source>Filled in from the link of {name}</source>
        <translation>Aus dem Link von {name} ausgefüllt</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filtern</translation>
    </message>
    <message>
        <source>Filter by name, type or shape</source>
        <translation>Nach Name, Typ oder Form filtern</translation>
    </message>
    <message>
        <source>Filters</source>
        <translation>Filter</translation>
    </message>
    <message numerus="yes">
        <source>Filters, %n active|Filters, %n active</source>
        <translation>
            <numerusform>Filter, %n aktiv</numerusform>
            <numerusform>Filter, %n aktiv</numerusform>
        </translation>
    </message>
    <message>
        <source>Find a file</source>
        <translation>Datei suchen</translation>
    </message>
    <message>
        <source>Find in chat</source>
        <translation>Im Chat suchen</translation>
    </message>
    <message>
        <source>Find models</source>
        <translation>Modelle finden</translation>
    </message>
    <message>
        <source>Find models…</source>
        <translation>Modelle finden…</translation>
    </message>
    <message>
        <source>Find runtimes</source>
        <translation>Runtimes suchen</translation>
    </message>
    <message>
        <source>Find tools</source>
        <translation>Werkzeuge finden</translation>
    </message>
    <message>
        <source>Finds bugs, risks and simpler ways</source>
        <translation>Findet Fehler, Risiken und einfachere Wege</translation>
    </message>
    <message>
        <source>Finds the fastest settings for this model on this computer (threads, batch size, flash attention and more). Takes under 2 minutes; nothing changes until you apply it.</source>
        <translation>Findet die schnellsten Einstellungen für dieses Modell auf diesem Computer (Threads, Batchgröße, Flash Attention und mehr). Dauert unter 2 Minuten; geändert wird erst etwas, wenn du es anwendest.</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Fireside</source>
        <translation>Fireside</translation>
    </message>
    <message>
        <source>Fireside cannot write to {path}: {reason}</source>
        <translation>Fireside kann nicht in {path} schreiben: {reason}</translation>
    </message>
    <message>
        <source>Fireside chats</source>
        <translation>Fireside-Chats</translation>
    </message>
    <message>
        <source>Fireside is closing.</source>
        <translation>Fireside wird gerade beendet.</translation>
    </message>
    <message>
        <source>Fireside is free software under the Apache License 2.0.

It stands on the work of others, among them:

llama.cpp and ggml (MIT), llama-cpp-python (MIT)
Qt and PySide6 (LGPL 3.0), qasync (BSD)
SQLite (public domain), apsw (any OSI licence)
markdown-it-py (MIT), Pygments (BSD), Jinja2 (BSD), msgspec (BSD), NumPy (BSD), psutil (BSD)
ziamath, ziafont and latex2mathml (MIT), which draw formulas with STIX Two Math (SIL Open Font License 1.1)
Inter and JetBrains Mono (SIL Open Font License 1.1), Lucide icons (ISC)
SmolLM2 by Hugging Face (Apache License 2.0)
</source>
        <translation>Fireside ist freie Software unter der Apache-Lizenz 2.0.

Es steht auf der Arbeit anderer, unter ihnen:

llama.cpp und ggml (MIT), llama-cpp-python (MIT)
Qt und PySide6 (LGPL 3.0), qasync (BSD)
SQLite (gemeinfrei), apsw (jede OSI-Lizenz)
markdown-it-py (MIT), Pygments (BSD), Jinja2 (BSD), msgspec (BSD), NumPy (BSD), psutil (BSD)
ziamath, ziafont und latex2mathml (MIT), die Formeln zeichnen, mit STIX Two Math (SIL Open Font License 1.1)
Inter und JetBrains Mono (SIL Open Font License 1.1), Lucide-Symbole (ISC)
SmolLM2 von Hugging Face (Apache License 2.0)
</translation>
    </message>
    <message>
        <source>Fireside is locked</source>
        <translation>Fireside ist gesperrt</translation>
    </message>
    <message>
        <source>Fireside is up to date.</source>
        <translation>Fireside ist aktuell.</translation>
    </message>
    <message>
        <source>Fireside locks when the answer is done.</source>
        <translation>Fireside wird gesperrt, sobald die Antwort fertig ist.</translation>
    </message>
    <message>
        <source>Fireside {version} is available.</source>
        <translation>Fireside {version} ist verfügbar.</translation>
    </message>
    <message numerus="yes">
        <source>Fireside: generating %n answer|Fireside: generating %n answers</source>
        <translation>
            <numerusform>Fireside: %n Antwort wird generiert</numerusform>
            <numerusform>Fireside: %n Antworten werden generiert</numerusform>
        </translation>
    </message>
    <message>
        <source>Fireside: {models} loaded</source>
        <translation>Fireside: {models} geladen</translation>
    </message>
    <message>
        <source>Fireside’s folder</source>
        <translation>Firesides Ordner</translation>
    </message>
    <message>
        <source>Fireside’s releases have no further runtime for this computer.</source>
        <translation>Unter den Veröffentlichungen von Fireside ist keine weitere Runtime für diesen Computer.</translation>
    </message>
    <message>
        <source>Fit unknown</source>
        <translation>Unbekannt, ob es passt</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>Passt</translation>
    </message>
    <message>
        <source>Fits partly</source>
        <translation>Passt teilweise</translation>
    </message>
    <message>
        <source>Fits this computer</source>
        <translation>Passt auf diesen Computer</translation>
    </message>
    <message>
        <source>Flash attention</source>
        <translation>Flash Attention</translation>
    </message>
    <message>
        <source>Flash attention off</source>
        <translation>Flash Attention aus</translation>
    </message>
    <message>
        <source>Flash attention on</source>
        <translation>Flash Attention an</translation>
    </message>
    <message>
        <source>Focus message field</source>
        <translation>Nachrichtenfeld fokussieren</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Folder name</source>
        <translation>Name des Ordners</translation>
    </message>
    <message>
        <source>Folder not found: {path}</source>
        <translation>Ordner nicht gefunden: {path}</translation>
    </message>
    <message>
        <source>Folder {name}</source>
        <translation>Ordner {name}</translation>
    </message>
    <message>
        <source>Folder “{name}” deleted</source>
        <translation>Ordner „{name}“ gelöscht</translation>
    </message>
    <message numerus="yes">
        <source>Folder “{name}” deleted; its chat was kept|Folder “{name}” deleted; its %n chats were kept</source>
        <translation>
            <numerusform>Ordner „{name}“ gelöscht; sein Chat bleibt erhalten</numerusform>
            <numerusform>Ordner „{name}“ gelöscht; seine %n Chats bleiben erhalten</numerusform>
        </translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Folders for tools</source>
        <translation>Ordner für Werkzeuge</translation>
    </message>
    <message>
        <source>Folders in which skills are looked for, besides those of other programs.</source>
        <translation>Ordner, in denen Skills gesucht werden, neben denen anderer Programme.</translation>
    </message>
    <message>
        <source>Folders in which the tools may read and change files.</source>
        <translation>Ordner, in denen die Werkzeuge Dateien lesen und ändern dürfen.</translation>
    </message>
    <message>
        <source>Folders it may change</source>
        <translation>Ordner zum Ändern</translation>
    </message>
    <message>
        <source>Folders it may read</source>
        <translation>Ordner zum Lesen</translation>
    </message>
    <message>
        <source>Folders more than {most} levels deep are skipped.</source>
        <translation>Ordner tiefer als {most} Ebenen werden übersprungen.</translation>
    </message>
    <message>
        <source>Folders of skills</source>
        <translation>Ordner mit Skills</translation>
    </message>
    <message>
        <source>Folders…</source>
        <translation>Ordner…</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>Ordner…</translation>
    </message>
    <message>
        <source>Follow numactl</source>
        <translation>Wie numactl</translation>
    </message>
    <message>
        <source>Followed by the instructions of the project “{name}”: {beginning}</source>
        <translation>Danach folgen die Anweisungen des Projekts „{name}“: {beginning}</translation>
    </message>
    <message>
        <source>Font size in chats and panels.</source>
        <translation>Schriftgröße in Chats und Seitenleisten.</translation>
    </message>
    <message>
        <source>For another version of Fireside.</source>
        <translation>Für eine andere Version von Fireside.</translation>
    </message>
    <message>
        <source>For chats</source>
        <translation>Für Chats</translation>
    </message>
    <message>
        <source>For larger coding tasks with tools; fast for its size (mixture of experts).</source>
        <translation>Für größere Programmieraufgaben mit Werkzeugen; schnell für seine Größe (Mixture of Experts).</translation>
    </message>
    <message>
        <source>For low-memory PCs: short answers and simple texts.</source>
        <translation>Für PCs mit wenig Speicher: kurze Antworten und einfache Texte.</translation>
    </message>
    <message>
        <source>For private or gated models. Create a token with read access in your Hugging Face account.</source>
        <translation>Für private oder zugangsbeschränkte Modelle. Erstelle in deinem Hugging-Face-Konto ein Token mit Leserechten.</translation>
    </message>
    <message>
        <source>For this computer</source>
        <translation>Für diesen Computer</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>Formular</translation>
    </message>
    <message>
        <source>Format: {form}</source>
        <translation>Format: {form}</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>Frei</translation>
    </message>
    <message>
        <source>Free memory from</source>
        <translation>Freier Speicher laut</translation>
    </message>
    <message>
        <source>Free space</source>
        <translation>Freier Platz</translation>
    </message>
    <message>
        <source>Freeing memory for the model…</source>
        <translation>Speicher für das Modell wird freigegeben…</translation>
    </message>
    <message>
        <source>Frequency penalty</source>
        <translation>Häufigkeitsstrafe</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>From context (n-gram)</source>
        <translation>Aus dem Kontext (N-Gramme)</translation>
    </message>
    <message>
        <source>From other apps</source>
        <translation>Aus anderen Programmen</translation>
    </message>
    <message>
        <source>From the next answer on: {changes}.</source>
        <translation>Ab der nächsten Antwort: {changes}.</translation>
    </message>
    <message>
        <source>From the project’s file, not known to models yet:</source>
        <translation>Aus der Datei des Projekts, Modellen noch nicht bekannt:</translation>
    </message>
    <message>
        <source>From this chat</source>
        <translation>Aus diesem Chat</translation>
    </message>
    <message>
        <source>Full</source>
        <translation>Voll</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>Vollbild</translation>
    </message>
    <message>
        <source>Full sliding-window cache (SWA)</source>
        <translation>Voller Sliding-Window-Cache (SWA)</translation>
    </message>
    <message>
        <source>Fully on GPU</source>
        <translation>Ganz auf GPU</translation>
    </message>
    <message>
        <source>GB that code in a chat may use.</source>
        <translation>GB, die Code in einem Chat belegen darf.</translation>
    </message>
    <message>
        <source>GGUF version 1 is no longer supported. Download it again.</source>
        <translation>GGUF-Version 1 wird nicht mehr unterstützt. Lade die Datei neu herunter.</translation>
    </message>
    <message>
        <source>GGUF version {version} is not supported (up to 3).</source>
        <translation>GGUF-Version {version} wird nicht unterstützt (bis 3).</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>GPU ({driver})</source>
        <translation>GPU ({driver})</translation>
    </message>
    <message>
        <source>GPU offload (layers)</source>
        <translation>GPU-Auslagerung (Schichten)</translation>
    </message>
    <message>
        <source>GPU unknown</source>
        <translation>GPU unbekannt</translation>
    </message>
    <message>
        <source>GPU {n}/{n_layers} layers</source>
        <translation>GPU {n}/{n_layers} Schichten</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPUs</translation>
    </message>
    <message>
        <source>GPUs could not be detected.</source>
        <translation>GPUs konnten nicht erkannt werden.</translation>
    </message>
    <message>
        <source>Gated</source>
        <translation>Zugangsbeschränkt</translation>
    </message>
    <message>
        <source>Gated by {owner}; you have access.</source>
        <translation>Von {owner} zugangsbeschränkt; du hast Zugriff.</translation>
    </message>
    <message>
        <source>Gated model: accept {owner}’s terms on the model’s page, then set an access token in the settings.</source>
        <translation>Zugangsbeschränktes Modell: Nimm die Bedingungen von {owner} auf der Modellseite an und hinterlege dann ein Zugriffstoken in den Einstellungen.</translation>
    </message>
    <message>
        <source>General</source>
        <translation>Allgemein</translation>
    </message>
    <message>
        <source>General helper</source>
        <translation>Allgemeiner Assistent</translation>
    </message>
    <message>
        <source>Generate answer</source>
        <translation>Antwort generieren</translation>
    </message>
    <message>
        <source>Generate chat titles</source>
        <translation>Chat-Titel erzeugen</translation>
    </message>
    <message>
        <source>Generating…</source>
        <translation>Generiert…</translation>
    </message>
    <message numerus="yes">
        <source>Generating… %n token|Generating… %n tokens</source>
        <translation>
            <numerusform>Generiert… %n Token</numerusform>
            <numerusform>Generiert… %n Tokens</numerusform>
        </translation>
    </message>
    <message>
        <source>Generation</source>
        <translation>Generierung</translation>
    </message>
    <message>
        <source>Generation beside a program that uses one core, in tokens/s: {figures}.</source>
        <translation>Generierung neben einem Programm, das einen Kern nutzt, in Tokens/s: {figures}.</translation>
    </message>
    <message>
        <source>Generation stops at any of these texts, one per line. Thinking is not affected.</source>
        <translation>Die Antwort endet vor jedem dieser Texte, einer pro Zeile. Das Nachdenken ist ausgenommen.</translation>
    </message>
    <message>
        <source>Generation, tokens/s</source>
        <translation>Generierung, Tokens/s</translation>
    </message>
    <message>
        <source>Give me three ideas for a rainy Sunday at home.</source>
        <translation>Gib mir drei Ideen für einen verregneten Sonntag zu Hause.</translation>
    </message>
    <message>
        <source>Go to message</source>
        <translation>Zur Nachricht</translation>
    </message>
    <message>
        <source>Go to the messages</source>
        <translation>Zu den Nachrichten</translation>
    </message>
    <message>
        <source>Going back…</source>
        <translation>Wird zurückgesetzt…</translation>
    </message>
    <message>
        <source>Good morning! Did you sleep well?</source>
        <translation>Guten Morgen! Hast du gut geschlafen?</translation>
    </message>
    <message>
        <source>Grammar (GBNF)</source>
        <translation>Grammatik (GBNF)</translation>
    </message>
    <message>
        <source>Grammar (Lark)</source>
        <translation>Grammatik (Lark)</translation>
    </message>
    <message>
        <source>Green</source>
        <translation>Grün</translation>
    </message>
    <message>
        <source>Guesses tokens ahead while that is measured to be faster; answers stay the same. Auto uses the model’s own draft heads (MTP).</source>
        <translation>Rät Token voraus, solange das gemessen schneller ist; die Antworten bleiben gleich. Auto nimmt die eigenen Entwurfsköpfe des Modells (MTP).</translation>
    </message>
    <message>
        <source>HTML</source>
        <translation>HTML</translation>
    </message>
    <message>
        <source>Hardware</source>
        <translation>Hardware</translation>
    </message>
    <message>
        <source>Hardware report copied</source>
        <translation>Hardwarebericht kopiert</translation>
    </message>
    <message>
        <source>Headers</source>
        <translation>Header</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>Hidden text</source>
        <translation>Versteckter Text</translation>
    </message>
    <message>
        <source>Hide figures</source>
        <translation>Zahlen ausblenden</translation>
    </message>
    <message>
        <source>Hide sidebar</source>
        <translation>Seitenleiste ausblenden</translation>
    </message>
    <message>
        <source>High</source>
        <translation>Hoch</translation>
    </message>
    <message>
        <source>Higher is more varied, lower more predictable. 0 always picks the most likely token.</source>
        <translation>Höher ist abwechslungsreicher, niedriger vorhersehbarer. 0 nimmt immer das wahrscheinlichste Token.</translation>
    </message>
    <message>
        <source>How fast the DRY penalty grows with the length of a repetition.</source>
        <translation>Wie schnell die DRY-Strafe mit der Länge einer Wiederholung wächst.</translation>
    </message>
    <message>
        <source>How fast the voice speaks; 1 is its own speed.</source>
        <translation>Wie schnell die Stimme spricht; 1 ist ihr eigenes Tempo.</translation>
    </message>
    <message>
        <source>How long a model stays loaded after its last response.</source>
        <translation>Wie lange ein Modell nach der letzten Antwort geladen bleibt.</translation>
    </message>
    <message>
        <source>How long a waiting thread spins before it yields its core (Linux). More can be faster on an idle computer, and is much slower beside busy programs.</source>
        <translation>Wie lange ein wartender Thread aktiv wartet, bevor er seinen Kern freigibt (Linux). Mehr kann ohne andere Last schneller sein und ist neben beschäftigten Programmen viel langsamer.</translation>
    </message>
    <message>
        <source>How long earlier tokens count. Higher is longer and more stable.</source>
        <translation>Wie lange frühere Tokens zählen. Höher ist länger und stetiger.</translation>
    </message>
    <message>
        <source>How many layers run on the GPU. Auto uses as many as fit in its free memory.</source>
        <translation>Wie viele Schichten auf der GPU laufen. „Auto“ nimmt so viele, wie in ihren freien Speicher passen.</translation>
    </message>
    <message>
        <source>How many models download at once; others are queued.</source>
        <translation>Wie viele Modelle gleichzeitig heruntergeladen werden; weitere kommen in die Warteschlange.</translation>
    </message>
    <message>
        <source>How many of its layers run on the GPU.</source>
        <translation>Wie viele seiner Schichten auf der GPU laufen.</translation>
    </message>
    <message>
        <source>How many passages from collections are sent with a question. More take longer to read.</source>
        <translation>Wie viele Textstellen aus Sammlungen mit einer Frage gesendet werden. Mehr brauchen länger zum Lesen.</translation>
    </message>
    <message>
        <source>How many requests one client may have running or queued.</source>
        <translation>Wie viele Anfragen eines Clients gleichzeitig laufen oder warten dürfen.</translation>
    </message>
    <message>
        <source>How many requests one model handles at the same time.</source>
        <translation>Wie viele Anfragen ein Modell gleichzeitig bearbeitet.</translation>
    </message>
    <message>
        <source>How many times the model may call tools in one response.</source>
        <translation>Wie oft das Modell in einer Antwort Werkzeuge aufrufen darf.</translation>
    </message>
    <message>
        <source>How many tokens back DRY looks.</source>
        <translation>Wie viele Tokens DRY zurückblickt.</translation>
    </message>
    <message>
        <source>How many tokens back the penalties look.</source>
        <translation>Wie viele Tokens die Strafen zurückblicken.</translation>
    </message>
    <message>
        <source>How many tokens of a chat the model can see at once. More needs more memory.</source>
        <translation>Wie viele Tokens eines Chats das Modell auf einmal sieht. Mehr braucht mehr Speicher.</translation>
    </message>
    <message>
        <source>How several GPUs share a model. A single GPU is best for models that fit on it.</source>
        <translation>Wie sich mehrere GPUs ein Modell teilen. Eine einzelne ist am besten für Modelle, die darauf passen.</translation>
    </message>
    <message>
        <source>How sharply the temperature reacts to the model’s confidence.</source>
        <translation>Wie stark die Temperatur darauf reagiert, wie sicher das Modell ist.</translation>
    </message>
    <message>
        <source>How to extend the context beyond the trained length. YaRN suits most models; quality may drop.</source>
        <translation>Wie der Kontext über die trainierte Länge hinaus verlängert wird. YaRN passt zu den meisten Modellen; die Qualität kann sinken.</translation>
    </message>
    <message>
        <source>How wide messages may be in a wide window.</source>
        <translation>Wie breit Nachrichten in einem breiten Fenster sein dürfen.</translation>
    </message>
    <message>
        <source>Hugging Face cache</source>
        <translation>Hugging-Face-Cache</translation>
    </message>
    <message>
        <source>Hugging Face endpoint</source>
        <translation>Hugging-Face-Endpunkt</translation>
    </message>
    <message>
        <source>Hugging Face rejected your access token. It may have expired; create a new one.</source>
        <translation>Hugging Face hat dein Zugriffstoken abgelehnt. Vielleicht ist es abgelaufen; erstelle ein neues.</translation>
    </message>
    <message>
        <source>I understand: without the passphrase my chats are lost for good.</source>
        <translation>Verstanden: Ohne die Passphrase sind meine Chats endgültig verloren.</translation>
    </message>
    <message>
        <source>I would like to book a table for two, please.</source>
        <translation>Ich möchte bitte einen Tisch für zwei reservieren.</translation>
    </message>
    <message>
        <source>If a device finds nothing, allow Fireside at port {port} (TCP) in this computer’s firewall. Apps that check certificates need this one installed and trusted on the device. Nothing is offered without encryption: others on the network could read token and messages.</source>
        <translation>Wenn ein Gerät nichts findet, Fireside am Port {port} (TCP) in der Firewall dieses Computers erlauben. Apps, die Zertifikate prüfen, brauchen dieses auf dem Gerät, installiert und als vertrauenswürdig eingestuft. Unverschlüsselt wird nichts angeboten: Andere im Netzwerk könnten Token und Nachrichten mitlesen.</translation>
    </message>
    <message>
        <source>If this chat gets too long</source>
        <translation>Wenn dieser Chat zu lang wird</translation>
    </message>
    <message>
        <source>If this computer has a GPU, its driver may be missing, or the current llama.cpp build may not support it. A Vulkan build works with most GPUs.</source>
        <translation>Wenn dieser Computer eine GPU hat, fehlt vielleicht ihr Treiber, oder der aktuelle llama.cpp-Build unterstützt sie nicht. Ein Vulkan-Build läuft mit den meisten GPUs.</translation>
    </message>
    <message>
        <source>Ignore end of sequence</source>
        <translation>Sequenzende ignorieren</translation>
    </message>
    <message>
        <source>Ignores: {names}</source>
        <translation>Ignoriert: {names}</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Image returned by the tool</source>
        <translation>Vom Werkzeug geliefertes Bild</translation>
    </message>
    <message>
        <source>Image sent to the model</source>
        <translation>An das Modell gesendetes Bild</translation>
    </message>
    <message>
        <source>Image {number} cannot be used: {reason}</source>
        <translation>Bild {number} ist nicht verwendbar: {reason}</translation>
    </message>
    <message>
        <source>Image {n} of {count}, {name}</source>
        <translation>Bild {n} von {count}, {name}</translation>
    </message>
    <message>
        <source>Image, {kind}</source>
        <translation>Bild, {kind}</translation>
    </message>
    <message>
        <source>Images, audio, videos, text, code, PDF, Word and web pages, read on this computer</source>
        <translation>Bilder, Audio, Videos, Text, Code, PDF, Word und Webseiten, auf diesem Computer gelesen</translation>
    </message>
    <message>
        <source>Immediately</source>
        <translation>Sofort</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Importieren</translation>
    </message>
    <message>
        <source>Import and export</source>
        <translation>Import und Export</translation>
    </message>
    <message>
        <source>Import chat folder</source>
        <translation>Chat-Ordner importieren</translation>
    </message>
    <message>
        <source>Import chats</source>
        <translation>Chats importieren</translation>
    </message>
    <message>
        <source>Import chats…</source>
        <translation>Chats importieren…</translation>
    </message>
    <message>
        <source>Import from {path} failed: {reason}</source>
        <translation>Import aus {path} fehlgeschlagen: {reason}</translation>
    </message>
    <message>
        <source>Import presets</source>
        <translation>Presets importieren</translation>
    </message>
    <message>
        <source>Import presets…</source>
        <translation>Presets importieren…</translation>
    </message>
    <message>
        <source>Important</source>
        <translation>Wichtig</translation>
    </message>
    <message>
        <source>Imported chat</source>
        <translation>Importierter Chat</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>Importieren…</translation>
    </message>
    <message>
        <source>In a talk, your voice stops the computer’s. Use headphones, or it hears itself.</source>
        <translation>Beim freien Sprechen verstummt der Computer, sobald du redest. Nimm Kopfhörer, sonst hört er sich selbst.</translation>
    </message>
    <message>
        <source>In downloads</source>
        <translation>In den Downloads</translation>
    </message>
    <message>
        <source>In the chat list</source>
        <translation>In der Chatliste</translation>
    </message>
    <message>
        <source>In use</source>
        <translation>In Gebrauch</translation>
    </message>
    <message>
        <source>In use: llama.cpp {version} ({backends})</source>
        <translation>Aktiv: llama.cpp {version} ({backends})</translation>
    </message>
    <message>
        <source>Include archived</source>
        <translation>Mit archivierten</translation>
    </message>
    <message>
        <source>Included</source>
        <translation>Mitgeliefert</translation>
    </message>
    <message>
        <source>Included with Fireside</source>
        <translation>Mit Fireside geliefert</translation>
    </message>
    <message>
        <source>Included with Fireside.</source>
        <translation>In Fireside enthalten.</translation>
    </message>
    <message>
        <source>Increase context…</source>
        <translation>Kontext vergrößern…</translation>
    </message>
    <message>
        <source>Indexing</source>
        <translation>Indizierung</translation>
    </message>
    <message>
        <source>Indigo</source>
        <translation>Indigo</translation>
    </message>
    <message>
        <source>Input/output error</source>
        <translation>der Datenträger meldet einen Fehler</translation>
    </message>
    <message>
        <source>Insert</source>
        <translation>Einfügen</translation>
    </message>
    <message>
        <source>Insert text</source>
        <translation>Text einfügen</translation>
    </message>
    <message>
        <source>Install</source>
        <translation>Installieren</translation>
    </message>
    <message>
        <source>Install the update</source>
        <translation>Update installieren</translation>
    </message>
    <message>
        <source>Installed by other means</source>
        <translation>Auf anderem Weg installiert</translation>
    </message>
    <message>
        <source>Installed for you alone</source>
        <translation>Nur für dich installiert</translation>
    </message>
    <message>
        <source>Installed, {size} on the disk.</source>
        <translation>Installiert, {size} auf der Platte.</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>Anweisungen</translation>
    </message>
    <message>
        <source>Instructions for the model at the start of a chat: its role and how to respond.</source>
        <translation>Anweisungen an das Modell am Anfang eines Chats: seine Rolle und wie es antworten soll.</translation>
    </message>
    <message>
        <source>Integrated GPU</source>
        <translation>Integrierte GPU</translation>
    </message>
    <message>
        <source>Internal error ({kind}). Your chat is safe.</source>
        <translation>Interner Fehler ({kind}). Dein Chat ist sicher.</translation>
    </message>
    <message>
        <source>Internal error. The log says more.</source>
        <translation>Interner Fehler. Im Protokoll steht mehr.</translation>
    </message>
    <message>
        <source>Interrupt</source>
        <translation>Unterbrechen</translation>
    </message>
    <message>
        <source>Interrupt by speaking</source>
        <translation>Durch Sprechen unterbrechen</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>Unterbrochen</translation>
    </message>
    <message>
        <source>Interrupted before the answer began.</source>
        <translation>Unterbrochen, bevor die Antwort begann.</translation>
    </message>
    <message>
        <source>Interrupted downloads resume</source>
        <translation>Unterbrochene Downloads werden fortgesetzt</translation>
    </message>
    <message>
        <source>Interrupted. The partial answer was saved.</source>
        <translation>Unterbrochen. Die unvollständige Antwort wurde gespeichert.</translation>
    </message>
    <message>
        <source>Invalid argument</source>
        <translation>das System nimmt die Angabe nicht an</translation>
    </message>
    <message>
        <source>Invalid cross-device link</source>
        <translation>das geht nicht von einem Datenträger zum anderen</translation>
    </message>
    <message>
        <source>Invalid grammar: {reason}</source>
        <translation>Ungültige Grammatik: {reason}</translation>
    </message>
    <message>
        <source>Invalid pattern: {reason}</source>
        <translation>Ungültiges Muster: {reason}</translation>
    </message>
    <message>
        <source>Invalid schema: {reason}</source>
        <translation>Ungültiges Schema: {reason}</translation>
    </message>
    <message>
        <source>Invalid {kind}: {reason} Correct it or choose another response format.</source>
        <translation>Ungültig ({kind}): {reason} Korrigiere es oder wähle ein anderes Antwortformat.</translation>
    </message>
    <message>
        <source>Is a directory</source>
        <translation>das ist ein Ordner</translation>
    </message>
    <message>
        <source>Isolate (first node)</source>
        <translation>Isolieren (erster Knoten)</translation>
    </message>
    <message>
        <source>It can send data out of this chat, or change something.</source>
        <translation>Es kann Daten aus diesem Chat hinaussenden oder etwas ändern.</translation>
    </message>
    <message>
        <source>It cannot be drawn.</source>
        <translation>Es lässt sich nicht zeichnen.</translation>
    </message>
    <message>
        <source>It cannot be opened: permission denied.</source>
        <translation>Lässt sich nicht öffnen: keine Berechtigung.</translation>
    </message>
    <message>
        <source>It cannot be opened: {reason}.</source>
        <translation>Lässt sich nicht öffnen: {reason}.</translation>
    </message>
    <message>
        <source>It cannot be read: {reason}.</source>
        <translation>Er lässt sich nicht lesen: {reason}.</translation>
    </message>
    <message>
        <source>It cannot be stored there.</source>
        <translation>Dort lässt es sich nicht speichern.</translation>
    </message>
    <message>
        <source>It cannot be unpacked: {reason}</source>
        <translation>Er lässt sich nicht entpacken: {reason}</translation>
    </message>
    <message>
        <source>It changed since you reviewed it, so it is off.</source>
        <translation>Er hat sich seit deiner Prüfung geändert und ist deshalb aus.</translation>
    </message>
    <message>
        <source>It closed the connection.</source>
        <translation>Er hat die Verbindung geschlossen.</translation>
    </message>
    <message>
        <source>It contains a NUL character.</source>
        <translation>Darin steht ein NUL-Zeichen.</translation>
    </message>
    <message>
        <source>It contains a space or another invalid character. Paste it again.</source>
        <translation>Es enthält ein Leerzeichen oder ein anderes ungültiges Zeichen. Füg es noch einmal ein.</translation>
    </message>
    <message>
        <source>It contains an invalid character (a lone surrogate).</source>
        <translation>Darin steht ein ungültiges Zeichen (ein einzelnes Surrogat).</translation>
    </message>
    <message>
        <source>It defines entities, which are not read.</source>
        <translation>Es definiert Entitäten, die nicht gelesen werden.</translation>
    </message>
    <message>
        <source>It did not answer within {n} s and was ended.</source>
        <translation>Er hat innerhalb von {n} s nicht geantwortet und wurde beendet.</translation>
    </message>
    <message>
        <source>It did not answer within {n} s.</source>
        <translation>Er hat innerhalb von {n} s nicht geantwortet.</translation>
    </message>
    <message>
        <source>It does not say its encoding; it was read as {encoding}. If letters are wrong, save it as UTF-8.</source>
        <translation>Die Datei nennt ihre Kodierung nicht; sie wurde als {encoding} gelesen. Sind Buchstaben falsch, speichere sie als UTF-8.</translation>
    </message>
    <message>
        <source>It ended unexpectedly, after something was refused to it. Grant what it needs under “Access…”, or in a terminal add it again with --read, --write or --network.</source>
        <translation>Er endete unerwartet, nachdem ihm etwas verweigert wurde. Erlaube, was er braucht, unter „Zugang…“, oder füge ihn in einem Terminal mit --read, --write oder --network neu hinzu.</translation>
    </message>
    <message>
        <source>It ended unexpectedly.</source>
        <translation>Er wurde unerwartet beendet.</translation>
    </message>
    <message>
        <source>It has more than 2,000 files, or more than 100 MB.</source>
        <translation>Er hat mehr als 2.000 Dateien oder mehr als 100 MB.</translation>
    </message>
    <message>
        <source>It has no name.</source>
        <translation>Er hat keinen Namen.</translation>
    </message>
    <message>
        <source>It has no network, and no files but those of this chat.</source>
        <translation>Er hat kein Netz und keine Dateien außer denen dieses Chats.</translation>
    </message>
    <message>
        <source>It has no network, and reads only the files of this chat and the folders of its tools.</source>
        <translation>Er hat kein Netz und liest nur die Dateien dieses Chats und die Ordner seiner Werkzeuge.</translation>
    </message>
    <message>
        <source>It has too many elements to be drawn here.</source>
        <translation>Es hat zu viele Elemente, um hier gezeichnet zu werden.</translation>
    </message>
    <message>
        <source>It is an XFA form, of which only what was filled in was read. Print it to a PDF file and use that.</source>
        <translation>Es ist ein XFA-Formular; nur was darin ausgefüllt wurde, wurde gelesen. Drucke es in eine PDF-Datei und nimm diese.</translation>
    </message>
    <message>
        <source>It is an image of text. A vision model can read it: choose one below.</source>
        <translation>Es ist ein Bild von Text. Ein Vision-Modell kann es lesen: wähle unten eines aus.</translation>
    </message>
    <message>
        <source>It is empty.</source>
        <translation>Es ist leer.</translation>
    </message>
    <message>
        <source>It is listed here, and off until you turn it on.</source>
        <translation>Er wird hier aufgelistet und ist aus, bis du ihn einschaltest.</translation>
    </message>
    <message>
        <source>It is no SVG.</source>
        <translation>Das ist kein SVG.</translation>
    </message>
    <message>
        <source>It is not a file that can be opened.</source>
        <translation>Das ist keine Datei, die sich öffnen lässt.</translation>
    </message>
    <message>
        <source>It is not a file.</source>
        <translation>Das ist keine Datei.</translation>
    </message>
    <message>
        <source>It is not well-formed XML (line {line}).</source>
        <translation>Es ist kein wohlgeformtes XML (Zeile {line}).</translation>
    </message>
    <message>
        <source>It is read soon.</source>
        <translation>Sie wird bald gelesen.</translation>
    </message>
    <message>
        <source>It is stored nowhere and cannot be restored once it is closed.</source>
        <translation>Er ist nirgends gespeichert und lässt sich nicht wiederherstellen, wenn er geschlossen ist.</translation>
    </message>
    <message>
        <source>It is stored nowhere on this computer, remembers nothing, and is gone once you close it or open another chat.</source>
        <translation>Er wird nirgends auf diesem Computer gespeichert, merkt sich nichts und ist weg, sobald du ihn schließt oder einen anderen Chat öffnest.</translation>
    </message>
    <message>
        <source>It is too large to be drawn here.</source>
        <translation>Es ist zu groß, um hier gezeichnet zu werden.</translation>
    </message>
    <message>
        <source>It is too long to be a token.</source>
        <translation>Für ein Token ist es zu lang.</translation>
    </message>
    <message>
        <source>It is tried again in {n} s.</source>
        <translation>Ein neuer Versuch ist in {n} s möglich.</translation>
    </message>
    <message>
        <source>It needs {tokens}; the context holds {size}.</source>
        <translation>Sie braucht {tokens}; der Kontext fasst {size}.</translation>
    </message>
    <message>
        <source>It reads data of yours.</source>
        <translation>Es liest Daten von dir.</translation>
    </message>
    <message>
        <source>It runs elsewhere and sees what the model sends.</source>
        <translation>Er läuft woanders und sieht, was das Modell sendet.</translation>
    </message>
    <message>
        <source>It runs on this computer and sees what the model sends.</source>
        <translation>Er läuft auf diesem Computer und sieht, was das Modell sendet.</translation>
    </message>
    <message>
        <source>It sent a line of more than {n} MiB and was ended.</source>
        <translation>Er hat eine Zeile von mehr als {n} MiB gesendet und wurde beendet.</translation>
    </message>
    <message>
        <source>It wants to open a page at {host}:</source>
        <translation>Er möchte eine Seite bei {host} öffnen:</translation>
    </message>
    <message>
        <source>Its Python scripts run only with the Python tool, when you allow the call.</source>
        <translation>Seine Python-Skripte laufen nur mit dem Python-Werkzeug, wenn du den Aufruf erlaubst.</translation>
    </message>
    <message>
        <source>Its SKILL.md is a link, or no file.</source>
        <translation>Seine SKILL.md ist ein Link oder keine Datei.</translation>
    </message>
    <message>
        <source>Its SKILL.md is not UTF-8 text.</source>
        <translation>Seine SKILL.md ist kein UTF-8-Text.</translation>
    </message>
    <message numerus="yes">
        <source>Its document stays in the file; importing it in the window adds it.|Its %n documents stay in the file; importing it in the window adds them.</source>
        <translation>
            <numerusform>Sein Dokument bleibt in der Datei; ein Import im Fenster fügt es hinzu.</numerusform>
            <numerusform>Seine %n Dokumente bleiben in der Datei; ein Import im Fenster fügt sie hinzu.</numerusform>
        </translation>
    </message>
    <message>
        <source>Its documents cannot be kept: {reason}.</source>
        <translation>Seine Dokumente lassen sich nicht speichern: {reason}.</translation>
    </message>
    <message>
        <source>Its drive is not connected.</source>
        <translation>Das Laufwerk ist nicht angeschlossen.</translation>
    </message>
    <message>
        <source>Its files stay. Chats that use it stop searching it; citations in answers are kept.</source>
        <translation>Die Dateien bleiben. Chats durchsuchen sie nicht mehr; Quellenangaben in Antworten bleiben erhalten.</translation>
    </message>
    <message>
        <source>Its folders are nested too deeply.</source>
        <translation>Seine Ordner sind zu tief verschachtelt.</translation>
    </message>
    <message>
        <source>Its frontmatter is not valid YAML, so it was read line by line.</source>
        <translation>Sein Frontmatter ist kein gültiges YAML und wurde deshalb Zeile für Zeile gelesen.</translation>
    </message>
    <message>
        <source>Its header is unreadable, so it cannot be loaded.</source>
        <translation>Der Header ist nicht lesbar, daher lässt sie sich nicht laden.</translation>
    </message>
    <message>
        <source>Its lines are too long to be edited here.</source>
        <translation>Die Zeilen sind zu lang, um hier bearbeitet zu werden.</translation>
    </message>
    <message>
        <source>Its name is not valid text. Rename it to use it.</source>
        <translation>Der Name ist kein gültiger Text. Benenne die Datei um, um sie zu benutzen.</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>JSON (full)</source>
        <translation>JSON (vollständig)</translation>
    </message>
    <message>
        <source>JSON Schema</source>
        <translation>JSON-Schema</translation>
    </message>
    <message>
        <source>JSON extractor</source>
        <translation>JSON herausziehen</translation>
    </message>
    <message>
        <source>JSON that matches a JSON Schema.</source>
        <translation>JSON, das einem JSON-Schema entspricht.</translation>
    </message>
    <message>
        <source>Jan</source>
        <translation>Jan.</translation>
    </message>
    <message>
        <source>January</source>
        <translation>Januar</translation>
    </message>
    <message>
        <source>Jinja template that replaces the model&apos;s own. The model&apos;s page in the library shows an example.</source>
        <translation>Jinja-Vorlage, die die des Modells ersetzt. Die Seite des Modells in der Bibliothek zeigt ein Beispiel.</translation>
    </message>
    <message>
        <source>Jul</source>
        <translation>Juli</translation>
    </message>
    <message>
        <source>July</source>
        <translation>Juli</translation>
    </message>
    <message>
        <source>Jump to latest</source>
        <translation>Zur neuesten Nachricht</translation>
    </message>
    <message>
        <source>Jun</source>
        <translation>Juni</translation>
    </message>
    <message>
        <source>June</source>
        <translation>Juni</translation>
    </message>
    <message>
        <source>Just this once; saved settings stay unchanged</source>
        <translation>Nur dieses Mal; gespeicherte Einstellungen bleiben unverändert</translation>
    </message>
    <message>
        <source>K cache quantization</source>
        <translation>K-Cache-Quantisierung</translation>
    </message>
    <message>
        <source>KV cache quantization</source>
        <translation>KV-Cache-Quantisierung</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Keep answer of {name}</source>
        <translation>Antwort von {name} behalten</translation>
    </message>
    <message>
        <source>Keep as a collection</source>
        <translation>Als Sammlung behalten</translation>
    </message>
    <message>
        <source>Keep on this computer</source>
        <translation>Auf diesem Computer behalten</translation>
    </message>
    <message>
        <source>Keep this answer</source>
        <translation>Diese Antwort behalten</translation>
    </message>
    <message>
        <source>Keep this chat</source>
        <translation>Chat behalten</translation>
    </message>
    <message>
        <source>Keep this temporary chat first</source>
        <translation>Dazu muss dieser temporäre Chat erst behalten werden</translation>
    </message>
    <message>
        <source>Keeps Fireside running in the system tray. Bind “fireside ask-window” to a key for quick questions from anywhere.</source>
        <translation>Fireside läuft im Infobereich weiter. Lege „fireside ask-window“ auf eine Taste, um von überall kurze Fragen zu stellen.</translation>
    </message>
    <message>
        <source>Keeps the answers; nothing is sent</source>
        <translation>Behält die Antworten; nichts wird gesendet</translation>
    </message>
    <message>
        <source>Keeps the experts of this many layers of a MoE model in RAM. Auto keeps as few as necessary.</source>
        <translation>Behält die Experten von so vielen Schichten eines MoE-Modells im RAM. „Auto“ nimmt so wenige wie nötig.</translation>
    </message>
    <message>
        <source>Keeps verified copies of all chats: 7 daily and 4 weekly.</source>
        <translation>Bewahrt geprüfte Kopien aller Chats auf: 7 tägliche und 4 wöchentliche.</translation>
    </message>
    <message>
        <source>Kept until Fireside closes: this system has no keyring</source>
        <translation>Bleibt bis zum Beenden von Fireside: Dieses System hat keinen Schlüsselbund</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Keywords and embeddings</source>
        <translation>Stichwörter und Embeddings</translation>
    </message>
    <message>
        <source>Keywords only</source>
        <translation>Nur Stichwörter</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Knowledgeable and fast for its size (mixture of experts).</source>
        <translation>Kenntnisreich und schnell für seine Größe (Mixture of Experts).</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Language of the window. Models reply in the language you write in.</source>
        <translation>Sprache der Oberfläche. Modelle antworten in der Sprache, in der du schreibst.</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>Größerer Text</translation>
    </message>
    <message>
        <source>Largest messages</source>
        <translation>Größte Nachrichten</translation>
    </message>
    <message>
        <source>Last calls</source>
        <translation>Letzte Aufrufe</translation>
    </message>
    <message>
        <source>Last calls of {name}</source>
        <translation>Letzte Aufrufe von {name}</translation>
    </message>
    <message>
        <source>Last errors</source>
        <translation>Letzte Fehler</translation>
    </message>
    <message>
        <source>Last load</source>
        <translation>Letzter Ladevorgang</translation>
    </message>
    <message>
        <source>Last seen: {time}</source>
        <translation>Zuletzt gesehen: {time}</translation>
    </message>
    <message>
        <source>Last used</source>
        <translation>Zuletzt benutzt</translation>
    </message>
    <message numerus="yes">
        <source>Last: {when} · 1 backup|Last: {when} · %n backups</source>
        <translation>
            <numerusform>Letzte: {when} · 1 Sicherung</numerusform>
            <numerusform>Letzte: {when} · %n Sicherungen</numerusform>
        </translation>
    </message>
    <message>
        <source>Learning rate (eta) of Mirostat.</source>
        <translation>Lernrate (Eta) von Mirostat.</translation>
    </message>
    <message>
        <source>Leave out everything from “?” or “#” on.</source>
        <translation>Lass alles ab „?“ oder „#“ weg.</translation>
    </message>
    <message>
        <source>Left out for their names: {names}</source>
        <translation>Wegen ihrer Namen ausgelassen: {names}</translation>
    </message>
    <message>
        <source>Left out, as they run only as tasks, which is not supported: {names}</source>
        <translation>Ausgelassen, da sie nur als Tasks laufen, was nicht unterstützt wird: {names}</translation>
    </message>
    <message>
        <source>Lets clients read how many tokens were processed, at “/metrics”.</source>
        <translation>Lässt Clients unter „/metrics“ lesen, wie viele Token verarbeitet wurden.</translation>
    </message>
    <message>
        <source>Lets editors, agents and scripts on this computer use your models.</source>
        <translation>Lässt Editoren, Agenten und Skripte auf diesem Computer deine Modelle verwenden.</translation>
    </message>
    <message>
        <source>Lets phones and computers that you pair use your models over the local network, encrypted.</source>
        <translation>Lässt gekoppelte Telefone und Computer die Modelle über das lokale Netzwerk nutzen, verschlüsselt.</translation>
    </message>
    <message>
        <source>Lets the model list, read and search the folders that you choose.</source>
        <translation>Lässt das Modell die Ordner auflisten, lesen und durchsuchen, die du auswählst.</translation>
    </message>
    <message>
        <source>Lets the model read pages on the public internet, with your permission.</source>
        <translation>Das Modell darf mit deiner Erlaubnis Seiten im öffentlichen Internet lesen.</translation>
    </message>
    <message>
        <source>Lets the model run code to compute, draw charts and make files. On Linux it reaches no network and no other files; elsewhere you are asked each time.</source>
        <translation>Lässt das Modell Code ausführen, um zu rechnen, Diagramme zu zeichnen und Dateien zu erstellen. Unter Linux erreicht er weder das Netz noch andere Dateien; anderswo wirst du jedes Mal gefragt.</translation>
    </message>
    <message>
        <source>Lets the model search and read the chat&apos;s collections itself, in place of passages that are sent with each question. For models that call tools well.</source>
        <translation>Das Modell durchsucht und liest die Sammlungen des Chats selbst, statt dass mit jeder Frage Textstellen gesendet werden. Für Modelle, die Werkzeuge gut aufrufen.</translation>
    </message>
    <message>
        <source>Lets the model search the web with the provider that you choose. You see each query before it is sent.</source>
        <translation>Lässt das Modell mit dem Anbieter, den du auswählst, im Web suchen. Du siehst jede Anfrage, bevor sie gesendet wird.</translation>
    </message>
    <message>
        <source>Lets the model search your other chats.</source>
        <translation>Das Modell darf deine anderen Chats durchsuchen.</translation>
    </message>
    <message>
        <source>Lets the model write text files in the folders that you choose. You see each change first and allow it.</source>
        <translation>Lässt das Modell Textdateien in den Ordnern schreiben, die du auswählst. Du siehst jede Änderung vorher und erlaubst sie.</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>Bibliothek</translation>
    </message>
    <message numerus="yes">
        <source>Library moved to {folder}: %n file, {size}.|Library moved to {folder}: %n files, {size}.</source>
        <translation>
            <numerusform>Bibliothek nach {folder} verschoben: %n Datei, {size}.</numerusform>
            <numerusform>Bibliothek nach {folder} verschoben: %n Dateien, {size}.</numerusform>
        </translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <source>Licence page</source>
        <translation>Lizenzseite</translation>
    </message>
    <message>
        <source>Licences</source>
        <translation>Lizenzen</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Light, dark or the same as your system.</source>
        <translation>Hell, dunkel oder wie dein System.</translation>
    </message>
    <message>
        <source>Likely duplicate in {place}, no extra space</source>
        <translation>Wahrscheinlich Duplikat in {place}, kein zusätzlicher Platz</translation>
    </message>
    <message>
        <source>Likely duplicate in {place}, {size} extra</source>
        <translation>Wahrscheinlich Duplikat in {place}, {size} zusätzlich</translation>
    </message>
    <message>
        <source>Likes</source>
        <translation>Likes</translation>
    </message>
    <message>
        <source>Limit for all downloads together.</source>
        <translation>Grenze für alle Downloads zusammen.</translation>
    </message>
    <message numerus="yes">
        <source>Limit: {most} files (%n skipped)|Limit: {most} files (%n skipped)</source>
        <translation>
            <numerusform>Höchstens {most} Dateien (%n übersprungen)</numerusform>
            <numerusform>Höchstens {most} Dateien (%n übersprungen)</numerusform>
        </translation>
    </message>
    <message>
        <source>Line {line}: {message}</source>
        <translation>Zeile {line}: {message}</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>Linear</translation>
    </message>
    <message>
        <source>Link for another Fireside</source>
        <translation>Link für ein anderes Fireside</translation>
    </message>
    <message>
        <source>List documents</source>
        <translation>Dokumente auflisten</translation>
    </message>
    <message>
        <source>List folder</source>
        <translation>Ordner auflisten</translation>
    </message>
    <message>
        <source>Listening…</source>
        <translation>Hört zu…</translation>
    </message>
    <message>
        <source>Listens on</source>
        <translation>Lauscht an</translation>
    </message>
    <message>
        <source>Lists models from LM Studio, Ollama, Jan and others in place, without changing them.</source>
        <translation>Zeigt Modelle aus LM Studio, Ollama, Jan und anderen an ihrem Ort, ohne sie zu verändern.</translation>
    </message>
    <message>
        <source>LoRA adapters</source>
        <translation>LoRA-Adapter</translation>
    </message>
    <message>
        <source>LoRA strengths</source>
        <translation>LoRA-Stärken</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>Load and unload models</source>
        <translation>Modelle laden und entladen</translation>
    </message>
    <message>
        <source>Load anyway</source>
        <translation>Trotzdem laden</translation>
    </message>
    <message>
        <source>Load model</source>
        <translation>Modell laden</translation>
    </message>
    <message>
        <source>Load more</source>
        <translation>Mehr laden</translation>
    </message>
    <message>
        <source>Load plan</source>
        <translation>Ladeplan</translation>
    </message>
    <message>
        <source>Load settings</source>
        <comment>on a tab, where there is little room</comment>
        <translation>Laden</translation>
    </message>
    <message>
        <source>Load settings</source>
        <translation>Ladeeinstellungen</translation>
    </message>
    <message>
        <source>Load settings of {name}</source>
        <translation>Ladeeinstellungen von {name}</translation>
    </message>
    <message>
        <source>Load settings…</source>
        <translation>Ladeeinstellungen…</translation>
    </message>
    <message>
        <source>Load the last used model at start</source>
        <translation>Zuletzt benutztes Modell beim Start laden</translation>
    </message>
    <message>
        <source>Load the model to view the prompt: its template and tokenizer build it.</source>
        <translation>Lade das Modell, um den Prompt anzuzeigen: Seine Vorlage und sein Tokenizer erzeugen ihn.</translation>
    </message>
    <message>
        <source>Load timeout</source>
        <translation>Zeitlimit beim Laden</translation>
    </message>
    <message>
        <source>Load {model} to view the prompt: its template and tokenizer build it.</source>
        <translation>Lade {model}, um den Prompt anzuzeigen: Die Vorlage und der Tokenizer des Modells erzeugen ihn.</translation>
    </message>
    <message>
        <source>Load {name}</source>
        <translation>{name} laden</translation>
    </message>
    <message>
        <source>Loaded</source>
        <translation>Geladen</translation>
    </message>
    <message>
        <source>Loaded models affect the results. Loaded now: {models}.</source>
        <translation>Geladene Modelle beeinflussen die Ergebnisse. Jetzt geladen: {models}.</translation>
    </message>
    <message>
        <source>Loaded with a larger context than set, as a program needs it.</source>
        <translation>Mit einem größeren Kontext als eingestellt geladen, weil ein Programm ihn braucht.</translation>
    </message>
    <message>
        <source>Loaded with temporary settings.</source>
        <translation>Mit vorübergehenden Einstellungen geladen.</translation>
    </message>
    <message>
        <source>Loading model… no progress at the moment</source>
        <translation>Modell wird geladen… im Moment kein Fortschritt</translation>
    </message>
    <message>
        <source>Loading model… {percent}%</source>
        <translation>Modell wird geladen… {percent} %</translation>
    </message>
    <message>
        <source>Loading more…</source>
        <translation>Weitere werden geladen…</translation>
    </message>
    <message>
        <source>Loading prompt…</source>
        <translation>Prompt wird geladen…</translation>
    </message>
    <message>
        <source>Loading {model} failed: {reason}</source>
        <translation>Laden von {model} fehlgeschlagen: {reason}</translation>
    </message>
    <message>
        <source>Loading {model} made no progress for {waited_s} seconds and was stopped. Check its drive; if it is just slow, increase the load timeout in the settings.</source>
        <translation>Das Laden von {model} machte {waited_s} Sekunden lang keinen Fortschritt und wurde abgebrochen. Prüfe das Laufwerk; wenn es nur langsam ist, erhöhe das Zeitlimit beim Laden in den Einstellungen.</translation>
    </message>
    <message>
        <source>Loading {name}…</source>
        <translation>{name} wird geladen…</translation>
    </message>
    <message>
        <source>Loading {percent}%</source>
        <translation>Lädt {percent} %</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>Wird geladen…</translation>
    </message>
    <message>
        <source>Loading… {n} s</source>
        <translation>Wird geladen… {n} s</translation>
    </message>
    <message>
        <source>Loads faster and lets the system share memory. Turn off for files on a network drive.</source>
        <translation>Lädt schneller und lässt das System Speicher teilen. Für Dateien auf einem Netzlaufwerk ausschalten.</translation>
    </message>
    <message>
        <source>Local API</source>
        <translation>Lokale API</translation>
    </message>
    <message>
        <source>Location</source>
        <translation>Ort</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>Sperren</translation>
    </message>
    <message>
        <source>Lock model in memory (mlock)</source>
        <translation>Modell im Speicher sperren (mlock)</translation>
    </message>
    <message>
        <source>Lock now</source>
        <translation>Jetzt sperren</translation>
    </message>
    <message>
        <source>Lock when idle</source>
        <translation>Bei Untätigkeit sperren</translation>
    </message>
    <message>
        <source>Lock when it is done</source>
        <translation>Danach sperren</translation>
    </message>
    <message>
        <source>Locking stops it; what is written so far is kept.</source>
        <translation>Sperren bricht sie ab; was schon geschrieben ist, bleibt.</translation>
    </message>
    <message>
        <source>Locks a data folder with a passphrase after this time without input; 0 for never. It closes temporary chats without asking.</source>
        <translation>Sperrt einen Datenordner mit Passphrase nach dieser Zeit ohne Eingabe; 0 für nie. Temporäre Chats werden ohne Nachfrage geschlossen.</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>Log of {name}</source>
        <translation>Protokoll von {name}</translation>
    </message>
    <message>
        <source>Logit bias</source>
        <translation>Logit-Bias</translation>
    </message>
    <message>
        <source>Look on this network</source>
        <translation>In diesem Netzwerk suchen</translation>
    </message>
    <message>
        <source>Looking for a model that suits this computer…</source>
        <translation>Es wird ein Modell gesucht, das zu diesem Computer passt…</translation>
    </message>
    <message>
        <source>Looking for changes…</source>
        <translation>Änderungen werden gesucht…</translation>
    </message>
    <message>
        <source>Looking for files…</source>
        <translation>Dateien werden gesucht…</translation>
    </message>
    <message>
        <source>Looking for skills…</source>
        <translation>Skills werden gesucht…</translation>
    </message>
    <message>
        <source>Low</source>
        <translation>Wenig</translation>
    </message>
    <message>
        <source>Low-memory PCs</source>
        <translation>PCs mit wenig Speicher</translation>
    </message>
    <message>
        <source>Lower precision saves memory and makes drafts slightly less accurate.</source>
        <translation>Geringere Genauigkeit spart Speicher und macht Entwürfe etwas ungenauer.</translation>
    </message>
    <message>
        <source>Lower precision saves memory and makes responses slightly less accurate.</source>
        <translation>Geringere Genauigkeit spart Speicher und macht Antworten etwas ungenauer.</translation>
    </message>
    <message>
        <source>MB</source>
        <translation>MB</translation>
    </message>
    <message>
        <source>MCP bundles (*.mcpb *.dxt)</source>
        <translation>MCP-Pakete (*.mcpb *.dxt)</translation>
    </message>
    <message>
        <source>MCP servers</source>
        <translation>MCP-Server</translation>
    </message>
    <message>
        <source>MCP servers are programs that offer more tools. They start when a model calls one of their tools, and each call asks you unless you decide otherwise.</source>
        <translation>MCP-Server sind Programme, die weitere Werkzeuge anbieten. Sie starten, wenn ein Modell eines ihrer Werkzeuge aufruft, und jeder Aufruf fragt dich, solange du nichts anderes festlegst.</translation>
    </message>
    <message>
        <source>MMMM yyyy</source>
        <comment>the pattern of a date, as Qt has it</comment>
        <translation>MMMM yyyy</translation>
    </message>
    <message>
        <source>Main GPU</source>
        <translation>Haupt-GPU</translation>
    </message>
    <message>
        <source>Makes larger Qwen3 models faster by speculative decoding.</source>
        <translation>Macht größere Qwen3-Modelle durch spekulatives Decoding schneller.</translation>
    </message>
    <message>
        <source>Makes single tokens of this model more or less likely, one “token=bias” per line.</source>
        <translation>Macht einzelne Tokens dieses Modells wahrscheinlicher oder seltener, ein „Token=Bias“ pro Zeile.</translation>
    </message>
    <message>
        <source>Managed by {owner}. Delete it there.</source>
        <translation>Wird von {owner} verwaltet. Lösche es dort.</translation>
    </message>
    <message>
        <source>Manual</source>
        <translation>Manuell</translation>
    </message>
    <message>
        <source>Many different ideas, quickly</source>
        <translation>Viele verschiedene Ideen, schnell</translation>
    </message>
    <message>
        <source>Many natural voices.</source>
        <translation>Viele natürliche Stimmen.</translation>
    </message>
    <message>
        <source>Mar</source>
        <translation>März</translation>
    </message>
    <message>
        <source>March</source>
        <translation>März</translation>
    </message>
    <message>
        <source>Mark differences</source>
        <translation>Unterschiede markieren</translation>
    </message>
    <message>
        <source>Match case</source>
        <translation>Groß-/Kleinschreibung</translation>
    </message>
    <message>
        <source>Match system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Max image tokens</source>
        <translation>Max. Bild-Tokens</translation>
    </message>
    <message>
        <source>Max loaded models</source>
        <translation>Max. geladene Modelle</translation>
    </message>
    <message>
        <source>Max memory of code</source>
        <translation>Höchster Speicher von Code</translation>
    </message>
    <message>
        <source>Max response tokens</source>
        <translation>Max. Antwort-Tokens</translation>
    </message>
    <message>
        <source>Max time of code</source>
        <translation>Höchste Zeit von Code</translation>
    </message>
    <message>
        <source>Max tool steps</source>
        <translation>Höchstzahl der Werkzeugschritte</translation>
    </message>
    <message>
        <source>Maximum RAM for the model, which is planned to fit. Not enforced on macOS.</source>
        <translation>Höchstens so viel RAM für das Modell, das entsprechend geplant wird. Unter macOS nicht erzwungen.</translation>
    </message>
    <message>
        <source>Maximum prompt tokens processed per step.</source>
        <translation>Höchstens so viele Prompt-Tokens werden pro Schritt verarbeitet.</translation>
    </message>
    <message>
        <source>Maximum tokens drafted per step.</source>
        <translation>Höchstens so viele Tokens werden pro Schritt vorgeschlagen.</translation>
    </message>
    <message>
        <source>May</source>
        <translation>Mai</translation>
    </message>
    <message>
        <source>Measure anyway</source>
        <translation>Trotzdem messen</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Gemessen</translation>
    </message>
    <message>
        <source>Measured memory</source>
        <translation>Gemessener Speicher</translation>
    </message>
    <message>
        <source>Measured on another computer.</source>
        <translation>Auf einem anderen Computer gemessen.</translation>
    </message>
    <message>
        <source>Measured only once (time limit).</source>
        <translation>Nur einmal gemessen (Zeitlimit).</translation>
    </message>
    <message>
        <source>Measured with another GPU driver.</source>
        <translation>Mit einem anderen GPU-Treiber gemessen.</translation>
    </message>
    <message>
        <source>Measured with another build of llama.cpp.</source>
        <translation>Mit einem anderen Build von llama.cpp gemessen.</translation>
    </message>
    <message>
        <source>Measured {when} on {processor}.</source>
        <translation>Gemessen {when} auf {processor}.</translation>
    </message>
    <message>
        <source>Measuring {name}: {number} of {total}</source>
        <translation>{name} wird gemessen: {number} von {total}</translation>
    </message>
    <message>
        <source>Measuring: {trial}</source>
        <translation>Wird gemessen: {trial}</translation>
    </message>
    <message>
        <source>Measuring: {trial}. Memory: {planned}</source>
        <translation>Gemessen wird: {trial}. Speicher: {planned}</translation>
    </message>
    <message>
        <source>Media formats</source>
        <translation>Medienformate</translation>
    </message>
    <message>
        <source>Medium</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Memory is low. It could use less: {words}</source>
        <translation>Der Speicher wird knapp. Mit weniger ginge es so: {words}</translation>
    </message>
    <message>
        <source>Memory limit</source>
        <translation>Speichergrenze</translation>
    </message>
    <message>
        <source>Memory per model for resuming chats at once, at most half of what is free. Auto uses 8 GB or 25% of RAM, whichever is less.</source>
        <translation>Speicher je Modell, um Chats sofort fortzusetzen, höchstens die Hälfte des freien. „Auto“ nimmt 8 GB oder 25 % des RAM, je nachdem, was weniger ist.</translation>
    </message>
    <message>
        <source>Memory-map model (mmap)</source>
        <translation>Modell in den Speicher einblenden (mmap)</translation>
    </message>
    <message>
        <source>Memory: {free} available of {size}</source>
        <translation>Speicher: {free} verfügbar von {size}</translation>
    </message>
    <message>
        <source>Mermaid</source>
        <translation>Mermaid</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>Message and replies deleted</source>
        <translation>Nachricht und Antworten gelöscht</translation>
    </message>
    <message>
        <source>Message deleted</source>
        <translation>Nachricht gelöscht</translation>
    </message>
    <message>
        <source>Message details</source>
        <translation>Details zur Nachricht</translation>
    </message>
    <message>
        <source>Message field</source>
        <translation>Nachrichtenfeld</translation>
    </message>
    <message>
        <source>Message in a new chat of this project</source>
        <translation>Nachricht in einem neuen Chat dieses Projekts</translation>
    </message>
    <message>
        <source>Message too long: {n_bytes}, at most {limit_bytes} with this context. Shorten it or increase the context length.</source>
        <translation>Nachricht zu lang: {n_bytes}, höchstens {limit_bytes} bei diesem Kontext. Kürze sie oder erhöhe die Kontextlänge.</translation>
    </message>
    <message>
        <source>Message too long: {n_prompt} tokens, the context holds {n_ctx}. Shorten it or increase the context length.</source>
        <translation>Nachricht zu lang: {n_prompt} Tokens, der Kontext fasst {n_ctx}. Kürze sie oder erhöhe die Kontextlänge.</translation>
    </message>
    <message>
        <source>Message {name}</source>
        <translation>Nachricht an {name}</translation>
    </message>
    <message>
        <source>Message {place} of {all}.</source>
        <translation>Nachricht {place} von {all}.</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>Messages that don’t fit are not sent.</source>
        <translation>Nachrichten, die nicht passen, werden nicht gesendet.</translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation>Metadaten</translation>
    </message>
    <message>
        <source>Metadata overrides</source>
        <translation>Überschriebene Metadaten</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>Metriken</translation>
    </message>
    <message numerus="yes">
        <source>Micro-batch of %n token|Micro-batch of %n tokens</source>
        <translation>
            <numerusform>Micro-Batch von %n Token</numerusform>
            <numerusform>Micro-Batch von %n Tokens</numerusform>
        </translation>
    </message>
    <message>
        <source>Micro-batch size</source>
        <translation>Micro-Batch-Größe</translation>
    </message>
    <message>
        <source>Microphone</source>
        <translation>Mikrofon</translation>
    </message>
    <message>
        <source>Min P</source>
        <translation>Min P</translation>
    </message>
    <message>
        <source>Min image tokens</source>
        <translation>Min. Bild-Tokens</translation>
    </message>
    <message>
        <source>Minimise to tray on close</source>
        <translation>Beim Schließen in den Infobereich minimieren</translation>
    </message>
    <message>
        <source>Minimum prompt part to reuse when text before it was removed. Responses are slightly less accurate.</source>
        <translation>Kleinster Teil des Prompts, der wiederverwendet wird, wenn Text davor wegfiel. Antworten werden etwas ungenauer.</translation>
    </message>
    <message>
        <source>Mirostat</source>
        <translation>Mirostat</translation>
    </message>
    <message>
        <source>Mirostat learning rate</source>
        <translation>Mirostat-Lernrate</translation>
    </message>
    <message>
        <source>Mirostat target entropy</source>
        <translation>Mirostat-Zielentropie</translation>
    </message>
    <message>
        <source>Missing font for Chinese, Japanese, Korean (fonts-noto-cjk)</source>
        <translation>Schrift für Chinesisch, Japanisch, Koreanisch fehlt (fonts-noto-cjk)</translation>
    </message>
    <message>
        <source>Missing font for emoji (fonts-noto-color-emoji)</source>
        <translation>Schrift für Emojis fehlt (fonts-noto-color-emoji)</translation>
    </message>
    <message>
        <source>Missing: {parts}.</source>
        <translation>Es fehlen: {parts}.</translation>
    </message>
    <message>
        <source>MoE experts on CPU (layers)</source>
        <translation>MoE-Experten auf der CPU (Schichten)</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Model card</source>
        <translation>Modellkarte</translation>
    </message>
    <message>
        <source>Model default</source>
        <translation>Modellstandard</translation>
    </message>
    <message>
        <source>Model file not found: {path}</source>
        <translation>Modelldatei nicht gefunden: {path}</translation>
    </message>
    <message>
        <source>Model files (*.gguf)</source>
        <translation>Modelldateien (*.gguf)</translation>
    </message>
    <message>
        <source>Model folder</source>
        <translation>Modellordner</translation>
    </message>
    <message>
        <source>Model name</source>
        <translation>Name des Modells</translation>
    </message>
    <message>
        <source>Model not in the library</source>
        <translation>Modell nicht in der Bibliothek</translation>
    </message>
    <message>
        <source>Model of answer {number}</source>
        <translation>Modell der Antwort {number}</translation>
    </message>
    <message>
        <source>Model of new chats</source>
        <translation>Modell neuer Chats</translation>
    </message>
    <message>
        <source>Model servers</source>
        <translation>Modellserver</translation>
    </message>
    <message>
        <source>Model settings</source>
        <translation>Modelleinstellungen</translation>
    </message>
    <message>
        <source>Model size</source>
        <translation>Modellgröße</translation>
    </message>
    <message>
        <source>Model unavailable</source>
        <translation>Modell nicht verfügbar</translation>
    </message>
    <message>
        <source>Model: {name}. {state}</source>
        <translation>Modell: {name}. {state}</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Models are not offered this tool.</source>
        <translation>Modellen wird dieses Werkzeug nicht angeboten.</translation>
    </message>
    <message>
        <source>Models download in the background. Interrupted downloads resume.</source>
        <translation>Modelle werden im Hintergrund heruntergeladen. Unterbrochene Downloads werden fortgesetzt.</translation>
    </message>
    <message>
        <source>Models from other apps</source>
        <translation>Modelle anderer Programme</translation>
    </message>
    <message>
        <source>Models may call this tool without asking, unless the call could send your data away.</source>
        <translation>Modelle dürfen dieses Werkzeug ohne Rückfrage aufrufen, außer wenn der Aufruf deine Daten weggeben könnte.</translation>
    </message>
    <message>
        <source>Models may call this tool; each call asks you first.</source>
        <translation>Modelle dürfen dieses Werkzeug aufrufen; jeder Aufruf fragt dich vorher.</translation>
    </message>
    <message>
        <source>Models of {name}</source>
        <translation>Modelle von {name}</translation>
    </message>
    <message>
        <source>Models…</source>
        <translation>Modelle…</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>More helps to read small print. For models with dynamic image resolution.</source>
        <translation>Mehr hilft beim Lesen kleiner Schrift. Für Modelle mit variabler Bildauflösung.</translation>
    </message>
    <message>
        <source>More than {most} files; the rest was skipped.</source>
        <translation>Mehr als {most} Dateien; der Rest wurde übersprungen.</translation>
    </message>
    <message>
        <source>Most downloaded</source>
        <translation>Meiste Downloads</translation>
    </message>
    <message>
        <source>Most liked</source>
        <translation>Meiste Likes</translation>
    </message>
    <message>
        <source>Move</source>
        <translation>Verschieben</translation>
    </message>
    <message>
        <source>Move cancelled; nothing changed.</source>
        <translation>Verschieben abgebrochen; nichts geändert.</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>Move library</source>
        <translation>Bibliothek verschieben</translation>
    </message>
    <message>
        <source>Move library to</source>
        <translation>Bibliothek verschieben nach</translation>
    </message>
    <message>
        <source>Move library…</source>
        <translation>Bibliothek verschieben…</translation>
    </message>
    <message>
        <source>Move out of {name}</source>
        <translation>Aus {name} herausnehmen</translation>
    </message>
    <message>
        <source>Move to</source>
        <translation>Verschieben nach</translation>
    </message>
    <message>
        <source>Move to folder</source>
        <translation>In Ordner verschieben</translation>
    </message>
    <message>
        <source>Move to the end</source>
        <translation>Ans Ende</translation>
    </message>
    <message>
        <source>Move to the top</source>
        <translation>Ganz nach oben</translation>
    </message>
    <message>
        <source>Move to trash</source>
        <translation>In den Papierkorb</translation>
    </message>
    <message>
        <source>Move to trash?</source>
        <translation>In den Papierkorb?</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>Move “{title}” in the queue</source>
        <translation>„{title}“ in der Warteschlange verschieben</translation>
    </message>
    <message>
        <source>Moved to {folder}. Removing old files…</source>
        <translation>Nach {folder} verschoben. Alte Dateien werden entfernt…</translation>
    </message>
    <message>
        <source>Moving library…</source>
        <translation>Bibliothek wird verschoben…</translation>
    </message>
    <message>
        <source>Moving the models to {folder} failed: {reason}</source>
        <translation>Verschieben der Modelle nach {folder} fehlgeschlagen: {reason}</translation>
    </message>
    <message>
        <source>Multi-GPU split mode</source>
        <translation>Aufteilung auf mehrere GPUs</translation>
    </message>
    <message>
        <source>Multilingual all-rounder that can think before answering hard questions.</source>
        <translation>Mehrsprachiger Allrounder, der bei schweren Fragen erst nachdenken kann.</translation>
    </message>
    <message>
        <source>Multilingual embeddings, also for long texts. Cannot chat.</source>
        <translation>Mehrsprachige Embeddings, auch für lange Texte. Kann nicht chatten.</translation>
    </message>
    <message>
        <source>Multilingual embeddings; small and fast. Cannot chat.</source>
        <translation>Mehrsprachige Embeddings; klein und schnell. Kann nicht chatten.</translation>
    </message>
    <message>
        <source>Must not exceed the batch size ({n_batch} tokens).</source>
        <translation>Darf nicht größer sein als die Batchgröße ({n_batch} Tokens).</translation>
    </message>
    <message>
        <source>NUMA</source>
        <translation>NUMA</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Name of the device</source>
        <translation>Name des Geräts</translation>
    </message>
    <message>
        <source>Name of the program for the new access token</source>
        <translation>Name des Programms für das neue Zugriffstoken</translation>
    </message>
    <message>
        <source>Names a chat after its first response, if the model is capable enough.</source>
        <translation>Benennt einen Chat nach der ersten Antwort, wenn das Modell gut genug dafür ist.</translation>
    </message>
    <message>
        <source>Names besides “localhost” by which clients may reach the local API.</source>
        <translation>Namen außer „localhost“, unter denen Clients die lokale API erreichen dürfen.</translation>
    </message>
    <message>
        <source>Names for a small bakery by the river</source>
        <translation>Namen für eine kleine Bäckerei am Fluss</translation>
    </message>
    <message>
        <source>Names of GPUs the model must not use, one per line.</source>
        <translation>Namen von GPUs, die das Modell nicht nutzen soll, einer pro Zeile.</translation>
    </message>
    <message>
        <source>Names of the models that clients may use; empty for all.</source>
        <translation>Namen der Modelle, die Clients verwenden dürfen; leer für alle.</translation>
    </message>
    <message>
        <source>Names, tags and favourites of models are missing.</source>
        <translation>Namen, Tags und Favoriten von Modellen fehlen.</translation>
    </message>
    <message>
        <source>Narrow</source>
        <translation>Schmal</translation>
    </message>
    <message>
        <source>Needed by the quantized V cache. Set the V cache to F16, BF16 or F32 first.</source>
        <translation>Der quantisierte V-Cache braucht es. Stell den V-Cache zuerst auf F16, BF16 oder F32.</translation>
    </message>
    <message>
        <source>Needed by “{label}”. Turn that off first.</source>
        <translation>„{label}“ braucht es. Schalte das zuerst aus.</translation>
    </message>
    <message>
        <source>Needs</source>
        <translation>Benötigt</translation>
    </message>
    <message>
        <source>Needs access to the repository (see above).</source>
        <translation>Braucht Zugriff auf das Repository (siehe oben).</translation>
    </message>
    <message>
        <source>Needs {size} · {free} free</source>
        <translation>Benötigt {size} · {free} frei</translation>
    </message>
    <message>
        <source>Needs {size}, and up to {cache} for the prompt cache · {free} free</source>
        <translation>Braucht {size}, dazu bis zu {cache} für den Prompt-Cache · {free} frei</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netzwerk</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Nie</translation>
    </message>
    <message>
        <source>Never seen</source>
        <translation>Noch nie gesehen</translation>
    </message>
    <message>
        <source>New</source>
        <translation>Neu</translation>
    </message>
    <message>
        <source>New access token</source>
        <translation>Neues Zugriffstoken</translation>
    </message>
    <message>
        <source>New access token: name of the program</source>
        <translation>Neues Zugriffstoken: Name des Programms</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>New collection</source>
        <translation>Neue Sammlung</translation>
    </message>
    <message>
        <source>New folder</source>
        <translation>Neuer Ordner</translation>
    </message>
    <message>
        <source>New folder…</source>
        <translation>Neuer Ordner…</translation>
    </message>
    <message>
        <source>New line</source>
        <translation>Neue Zeile</translation>
    </message>
    <message>
        <source>New passphrase</source>
        <translation>Neue Passphrase</translation>
    </message>
    <message>
        <source>New passphrase, once more</source>
        <translation>Neue Passphrase, noch einmal</translation>
    </message>
    <message>
        <source>New preset</source>
        <translation>Neues Preset</translation>
    </message>
    <message>
        <source>New project</source>
        <translation>Neues Projekt</translation>
    </message>
    <message>
        <source>New window</source>
        <translation>Neues Fenster</translation>
    </message>
    <message>
        <source>Newest</source>
        <translation>Neueste</translation>
    </message>
    <message>
        <source>Next area</source>
        <translation>Nächster Bereich</translation>
    </message>
    <message>
        <source>Next chat</source>
        <translation>Nächster Chat</translation>
    </message>
    <message>
        <source>Next in queue…</source>
        <translation>Als Nächstes an der Reihe…</translation>
    </message>
    <message>
        <source>Next match (Enter)</source>
        <translation>Nächster Treffer (Enter)</translation>
    </message>
    <message>
        <source>Next message</source>
        <translation>Nächste Nachricht</translation>
    </message>
    <message>
        <source>Next page</source>
        <translation>Nächste Seite</translation>
    </message>
    <message>
        <source>Next passage</source>
        <translation>Nächste Textstelle</translation>
    </message>
    <message>
        <source>Next version</source>
        <translation>Nächste Version</translation>
    </message>
    <message>
        <source>Next version (Alt+Right)</source>
        <translation>Nächste Version (Alt+Rechts)</translation>
    </message>
    <message>
        <source>No</source>
        <translation>Nein</translation>
    </message>
    <message>
        <source>No GGUF files in it.</source>
        <translation>Keine GGUF-Dateien darin.</translation>
    </message>
    <message>
        <source>No GGUF files in this repository.</source>
        <translation>Keine GGUF-Dateien in diesem Repository.</translation>
    </message>
    <message>
        <source>No GPU</source>
        <translation>Keine GPU</translation>
    </message>
    <message>
        <source>No MCP server answers at this address (HTTP status {status}).</source>
        <translation>Unter dieser Adresse antwortet kein MCP-Server (HTTP-Status {status}).</translation>
    </message>
    <message>
        <source>No MCP servers yet</source>
        <translation>Noch keine MCP-Server</translation>
    </message>
    <message>
        <source>No access to “{what}”. Your access token may lack permission: create one with read access and set it in the settings.</source>
        <translation>Kein Zugriff auf „{what}“. Vielleicht fehlt deinem Zugriffstoken die Berechtigung: Erstelle eins mit Leserechten und hinterlege es in den Einstellungen.</translation>
    </message>
    <message>
        <source>No answer to copy</source>
        <translation>Keine Antwort zum Kopieren</translation>
    </message>
    <message>
        <source>No answer with a seed yet</source>
        <translation>Noch keine Antwort mit einem Seed</translation>
    </message>
    <message>
        <source>No answer within {seconds} s.</source>
        <translation>Keine Antwort innerhalb von {seconds} s.</translation>
    </message>
    <message>
        <source>No artifacts</source>
        <translation>Keine Artefakte</translation>
    </message>
    <message>
        <source>No audio support</source>
        <translation>Kein Audio</translation>
    </message>
    <message>
        <source>No backups yet</source>
        <translation>Noch keine Sicherungen</translation>
    </message>
    <message>
        <source>No changes listed</source>
        <translation>Keine Änderungen aufgeführt</translation>
    </message>
    <message>
        <source>No chat contains this.</source>
        <translation>Das kommt in keinem Chat vor.</translation>
    </message>
    <message>
        <source>No chats in this project yet.</source>
        <translation>Noch keine Chats in diesem Projekt.</translation>
    </message>
    <message>
        <source>No chats yet</source>
        <translation>Noch keine Chats</translation>
    </message>
    <message>
        <source>No collections yet</source>
        <translation>Noch keine Sammlungen</translation>
    </message>
    <message>
        <source>No colour</source>
        <translation>Keine Farbe</translation>
    </message>
    <message>
        <source>No constraints.</source>
        <translation>Ohne Vorgaben.</translation>
    </message>
    <message>
        <source>No display found.</source>
        <translation>Keine Anzeige gefunden.</translation>
    </message>
    <message>
        <source>No documents are attached to this chat</source>
        <translation>Diesem Chat sind keine Dokumente angehängt</translation>
    </message>
    <message>
        <source>No downloads</source>
        <translation>Keine Downloads</translation>
    </message>
    <message>
        <source>No draft model chosen. Choose a file ({draft}), or turn this off ({speculation}).</source>
        <translation>Kein Entwurfsmodell gewählt. Wähle eine Datei ({draft}) oder schalte das hier aus ({speculation}).</translation>
    </message>
    <message>
        <source>No example can be made: {reason}.</source>
        <translation>Ein Beispiel ist nicht möglich: {reason}.</translation>
    </message>
    <message>
        <source>No faster settings found.</source>
        <translation>Keine schnelleren Einstellungen gefunden.</translation>
    </message>
    <message>
        <source>No files</source>
        <translation>Keine Dateien</translation>
    </message>
    <message>
        <source>No image support</source>
        <translation>Keine Bilder unterstützt</translation>
    </message>
    <message>
        <source>No key saved</source>
        <translation>Kein Schlüssel gespeichert</translation>
    </message>
    <message>
        <source>No keyring: the API key is kept until Fireside closes.</source>
        <translation>Kein Schlüsselbund: Der API-Schlüssel gilt, bis Fireside geschlossen wird.</translation>
    </message>
    <message>
        <source>No limit</source>
        <translation>Unbegrenzt</translation>
    </message>
    <message>
        <source>No matching chats</source>
        <translation>Keine passenden Chats</translation>
    </message>
    <message>
        <source>No matching facts</source>
        <translation>Keine passenden Angaben</translation>
    </message>
    <message>
        <source>No matching models</source>
        <translation>Keine passenden Modelle</translation>
    </message>
    <message>
        <source>No matching passages</source>
        <translation>Keine passenden Textstellen</translation>
    </message>
    <message>
        <source>No matching settings</source>
        <translation>Keine passenden Einstellungen</translation>
    </message>
    <message>
        <source>No matching skills</source>
        <translation>Keine passenden Skills</translation>
    </message>
    <message>
        <source>No matching tools</source>
        <translation>Keine passenden Werkzeuge</translation>
    </message>
    <message>
        <source>No microphone could be opened. Connect one, choose it in the settings, or allow Fireside to use it.</source>
        <translation>Kein Mikrofon ließ sich öffnen. Schließ eines an, wähle es in den Einstellungen oder erlaube Fireside, es zu benutzen.</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>Kein Modell</translation>
    </message>
    <message>
        <source>No model called “{name}” in your library.</source>
        <translation>Kein Modell namens „{name}“ in deiner Bibliothek.</translation>
    </message>
    <message>
        <source>No model called “{name}” in your library. Did you mean “{near}”?</source>
        <translation>Kein Modell namens „{name}“ in deiner Bibliothek. Meintest du „{near}“?</translation>
    </message>
    <message>
        <source>No model for speech recognition is here. Download one first.</source>
        <translation>Es ist kein Modell für Spracherkennung da. Lade zuerst eines herunter.</translation>
    </message>
    <message>
        <source>No model of our list fits into the free memory of this computer</source>
        <translation>Kein Modell unserer Liste passt in den freien Speicher dieses Computers</translation>
    </message>
    <message>
        <source>No model selected</source>
        <translation>Kein Modell ausgewählt</translation>
    </message>
    <message>
        <source>No models to measure yet. Find one under Discover.</source>
        <translation>Noch keine Modelle zum Messen. Finde eins unter „Entdecken“.</translation>
    </message>
    <message>
        <source>No models yet</source>
        <translation>Noch keine Modelle</translation>
    </message>
    <message>
        <source>No more matches in the latest results</source>
        <translation>Keine weiteren Treffer in den letzten Ergebnissen</translation>
    </message>
    <message>
        <source>No network</source>
        <translation>Kein Netzwerk</translation>
    </message>
    <message>
        <source>No new models; already listed</source>
        <translation>Keine neuen Modelle; schon in der Liste</translation>
    </message>
    <message>
        <source>No other Fireside answered. It is found while “{setting}” is on there, on the same network, unless a firewall keeps UDP port 5353 shut.</source>
        <translation>Kein anderes Fireside hat geantwortet. Es wird gefunden, solange dort „{setting}“ eingeschaltet ist, im selben Netzwerk, sofern keine Firewall den UDP-Port 5353 sperrt.</translation>
    </message>
    <message>
        <source>No passages found for this question</source>
        <translation>Keine Textstellen zu dieser Frage gefunden</translation>
    </message>
    <message>
        <source>No preset</source>
        <translation>Kein Preset</translation>
    </message>
    <message>
        <source>No presets added.</source>
        <translation>Keine Presets hinzugefügt.</translation>
    </message>
    <message>
        <source>No preview</source>
        <translation>Keine Vorschau</translation>
    </message>
    <message>
        <source>No previous runtime to roll back to.</source>
        <translation>Keine vorherige Runtime, zu der zurückgewechselt werden kann.</translation>
    </message>
    <message>
        <source>No progress at the moment. Wait or cancel.</source>
        <translation>Im Moment kein Fortschritt. Warte oder brich ab.</translation>
    </message>
    <message>
        <source>No projects yet</source>
        <translation>Noch keine Projekte</translation>
    </message>
    <message>
        <source>No requests running</source>
        <translation>Keine laufenden Anfragen</translation>
    </message>
    <message>
        <source>No result yet</source>
        <translation>Noch kein Ergebnis</translation>
    </message>
    <message>
        <source>No results</source>
        <translation>Keine Treffer</translation>
    </message>
    <message>
        <source>No results for “{subject}”</source>
        <translation>Keine Ergebnisse für „{subject}“</translation>
    </message>
    <message>
        <source>No results with these filters</source>
        <translation>Keine Ergebnisse mit diesen Filtern</translation>
    </message>
    <message>
        <source>No results yet; still searching older chats</source>
        <translation>Noch keine Ergebnisse; ältere Chats werden noch durchsucht</translation>
    </message>
    <message>
        <source>No runtime called “{name}”. See the Hardware page or “fireside runtime list”.</source>
        <translation>Keine Runtime namens „{name}“. Siehe die Seite „Hardware“ oder „fireside runtime list“.</translation>
    </message>
    <message>
        <source>No settings were measurably faster than the current ones.</source>
        <translation>Keine Einstellungen waren messbar schneller als die aktuellen.</translation>
    </message>
    <message>
        <source>No skills yet</source>
        <translation>Noch keine Skills</translation>
    </message>
    <message>
        <source>No space left on device</source>
        <translation>auf dem Datenträger ist kein Platz mehr</translation>
    </message>
    <message>
        <source>No speaker could be opened. Connect one, or choose it in the settings.</source>
        <translation>Kein Lautsprecher ließ sich öffnen. Schließ einen an oder wähle ihn in den Einstellungen.</translation>
    </message>
    <message>
        <source>No speculative decoding</source>
        <translation>Kein spekulatives Decoding</translation>
    </message>
    <message>
        <source>No speech was heard.</source>
        <translation>Es war nichts Gesprochenes zu hören.</translation>
    </message>
    <message>
        <source>No such device or address</source>
        <translation>das Gerät gibt es nicht</translation>
    </message>
    <message>
        <source>No such file or directory</source>
        <translation>die Datei oder den Ordner gibt es nicht</translation>
    </message>
    <message>
        <source>No supported chats found.</source>
        <translation>Keine unterstützten Chats gefunden.</translation>
    </message>
    <message>
        <source>No text found.</source>
        <translation>Kein Text gefunden.</translation>
    </message>
    <message>
        <source>No text found: its pages are images, as from a scanner.</source>
        <translation>Kein Text gefunden: Die Seiten sind Bilder, wie von einem Scanner.</translation>
    </message>
    <message>
        <source>No text found; the model is told so.</source>
        <translation>Kein Text gefunden; das Modell erfährt das.</translation>
    </message>
    <message>
        <source>No text on this page</source>
        <translation>Kein Text auf dieser Seite</translation>
    </message>
    <message>
        <source>No token saved</source>
        <translation>Kein Token gespeichert</translation>
    </message>
    <message>
        <source>No tuned settings to revert.</source>
        <translation>Keine Tuning-Einstellungen zum Zurücksetzen.</translation>
    </message>
    <message>
        <source>No usable GPU found; models run on the CPU. Small models are fast there; larger ones are limited by RAM.</source>
        <translation>Keine nutzbare GPU gefunden; Modelle laufen auf der CPU. Kleine Modelle sind dort schnell, größere begrenzt der RAM.</translation>
    </message>
    <message>
        <source>No usable device, not even the CPU.</source>
        <translation>Kein nutzbares Gerät, nicht einmal die CPU.</translation>
    </message>
    <message>
        <source>No usable model files.</source>
        <translation>Keine nutzbaren Modelldateien.</translation>
    </message>
    <message>
        <source>No usable system keyring: {reason}</source>
        <translation>Kein nutzbarer Schlüsselbund: {reason}</translation>
    </message>
    <message>
        <source>No video support</source>
        <translation>Keine Unterstützung für Videos</translation>
    </message>
    <message>
        <source>No voice is here. Download one, or use your system’s voice.</source>
        <translation>Es ist keine Stimme da. Lade eine herunter oder nimm die Stimme deines Systems.</translation>
    </message>
    <message>
        <source>Nobody can recover a forgotten passphrase, and Fireside has no way around it.</source>
        <translation>Niemand kann eine vergessene Passphrase wiederherstellen, und Fireside hat keinen Weg daran vorbei.</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>None (keywords only)</source>
        <translation>Keins (nur Stichwörter)</translation>
    </message>
    <message>
        <source>None of the documents was read</source>
        <translation>Keines der Dokumente wurde gelesen</translation>
    </message>
    <message>
        <source>None of the runtimes that Fireside’s releases have suits your GPU.</source>
        <translation>Keine der Runtimes aus den Veröffentlichungen von Fireside passt zu deiner GPU.</translation>
    </message>
    <message>
        <source>None. Where “Remember facts” is on, a model suggests some, and you confirm them.</source>
        <translation>Keine. Wo „Angaben merken“ an ist, schlägt ein Modell welche vor, und du bestätigst sie.</translation>
    </message>
    <message>
        <source>None; a common one is used</source>
        <translation>Keine; eine gängige wird verwendet</translation>
    </message>
    <message>
        <source>Normal</source>
        <translation>Normal</translation>
    </message>
    <message>
        <source>Not a chat model.</source>
        <translation>Kein Chat-Modell.</translation>
    </message>
    <message>
        <source>Not a directory</source>
        <translation>das ist kein Ordner</translation>
    </message>
    <message>
        <source>Not added: {reasons}</source>
        <translation>Nicht hinzugefügt: {reasons}</translation>
    </message>
    <message>
        <source>Not all of its documents are here: {reason}</source>
        <translation>Nicht alle seine Dokumente sind hier: {reason}</translation>
    </message>
    <message>
        <source>Not available for the last message</source>
        <translation>Für die letzte Nachricht nicht verfügbar</translation>
    </message>
    <message>
        <source>Not available for this computer.</source>
        <translation>Für diesen Computer nicht verfügbar.</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>Nicht verbunden</translation>
    </message>
    <message>
        <source>Not downloaded</source>
        <translation>Nicht heruntergeladen</translation>
    </message>
    <message>
        <source>Not downloaded with Fireside. Verifying reads the whole file and stores its checksum.</source>
        <translation>Nicht mit Fireside heruntergeladen. Die Prüfung liest die ganze Datei und speichert ihre Prüfsumme.</translation>
    </message>
    <message>
        <source>Not enough disk space for {name}</source>
        <translation>Nicht genug Speicherplatz für {name}</translation>
    </message>
    <message>
        <source>Not enough memory for {model}. Reduce the context length or choose a smaller model.</source>
        <translation>Nicht genug Speicher für {model}. Verringere die Kontextlänge oder wähle ein kleineres Modell.</translation>
    </message>
    <message>
        <source>Not enough space in {folder}: {needed_bytes} needed ({file_bytes} and {reserve_bytes} kept free), {free_bytes} free.</source>
        <translation>Nicht genug Platz in {folder}: {needed_bytes} benötigt ({file_bytes} und {reserve_bytes}, die frei bleiben), {free_bytes} frei.</translation>
    </message>
    <message>
        <source>Not faster</source>
        <translation>Nicht schneller</translation>
    </message>
    <message>
        <source>Not found. If it is on another drive, connect it.</source>
        <translation>Nicht gefunden. Wenn der Ordner auf einem anderen Laufwerk liegt, schließ es an.</translation>
    </message>
    <message>
        <source>Not gated</source>
        <translation>Ohne Beschränkung</translation>
    </message>
    <message>
        <source>Not imported</source>
        <translation>Nicht importiert</translation>
    </message>
    <message numerus="yes">
        <source>Not in context: the message above|Not in context: the %n messages above</source>
        <translation>
            <numerusform>Nicht im Kontext: die Nachricht darüber</numerusform>
            <numerusform>Nicht im Kontext: die %n Nachrichten darüber</numerusform>
        </translation>
    </message>
    <message>
        <source>Not loaded</source>
        <translation>Nicht geladen</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Nicht jetzt</translation>
    </message>
    <message>
        <source>Not reachable</source>
        <translation>Nicht erreichbar</translation>
    </message>
    <message>
        <source>Not read, as they are links or no files: {names}</source>
        <translation>Nicht gelesen, da Links oder keine Dateien: {names}</translation>
    </message>
    <message>
        <source>Not repaired: {reason}</source>
        <translation>Nicht repariert: {reason}</translation>
    </message>
    <message>
        <source>Not running</source>
        <translation>Läuft nicht</translation>
    </message>
    <message>
        <source>Not sandboxed: can read all your files.</source>
        <translation>Nicht in einer Sandbox: kann alle deine Dateien lesen.</translation>
    </message>
    <message>
        <source>Not saved as a version yet</source>
        <translation>Noch nicht als Version gespeichert</translation>
    </message>
    <message>
        <source>Not saved: {problem}</source>
        <translation>Nicht gespeichert: {problem}</translation>
    </message>
    <message>
        <source>Not saved: {reason}.</source>
        <translation>Nicht gespeichert: {reason}.</translation>
    </message>
    <message>
        <source>Not sent: {reason}</source>
        <translation>Nicht gesendet: {reason}</translation>
    </message>
    <message>
        <source>Not set: whoever can read this computer’s disk can read your chats.</source>
        <translation>Nicht gesetzt: Wer die Festplatte dieses Computers lesen kann, kann die Chats lesen.</translation>
    </message>
    <message>
        <source>Not specified</source>
        <translation>Nicht angegeben</translation>
    </message>
    <message>
        <source>Not started</source>
        <translation>Nicht gestartet</translation>
    </message>
    <message>
        <source>Not tested</source>
        <translation>Nicht getestet</translation>
    </message>
    <message>
        <source>Not tested yet. Test it first.</source>
        <translation>Noch nicht getestet. Teste sie zuerst.</translation>
    </message>
    <message>
        <source>Not transcribed: {reason}</source>
        <translation>Nicht transkribiert: {reason}</translation>
    </message>
    <message>
        <source>Not tuned yet.</source>
        <translation>Noch nicht getunt.</translation>
    </message>
    <message>
        <source>Not usable</source>
        <translation>Nicht verwendbar</translation>
    </message>
    <message>
        <source>Not used</source>
        <translation>Nicht benutzt</translation>
    </message>
    <message>
        <source>Not verified</source>
        <translation>Nicht geprüft</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>Notes were condensed to fit the context: details may be missing</source>
        <translation>Notizen wurden gekürzt, damit sie in den Kontext passen: Einzelheiten können fehlen</translation>
    </message>
    <message>
        <source>Nothing about this question was found</source>
        <translation>Zu dieser Frage wurde nichts gefunden</translation>
    </message>
    <message>
        <source>Nothing can be saved in {path}: {reason} You can read and export the chats here; to write, choose another folder.</source>
        <translation>In {path} kann nichts gespeichert werden: {reason} Du kannst die Chats hier lesen und exportieren; wähle zum Schreiben einen anderen Ordner.</translation>
    </message>
    <message>
        <source>Nothing is asked until you click.</source>
        <translation>Ohne einen Klick wird nichts abgefragt.</translation>
    </message>
    <message>
        <source>Nothing is deleted: you can still read, search and export everything.</source>
        <translation>Nichts wird gelöscht: Du kannst weiterhin alles lesen, durchsuchen und exportieren.</translation>
    </message>
    <message>
        <source>Nothing is encrypted anew, so it takes a moment. Earlier backups keep the old passphrase.</source>
        <translation>Nichts wird neu verschlüsselt, es dauert also nur einen Moment. Frühere Sicherungen behalten die alte Passphrase.</translation>
    </message>
    <message>
        <source>Nothing is lost.</source>
        <translation>Nichts ist verloren.</translation>
    </message>
    <message>
        <source>Nothing is remembered in this project yet.</source>
        <translation>In diesem Projekt ist noch nichts gemerkt.</translation>
    </message>
    <message>
        <source>Nothing new to import.</source>
        <translation>Nichts Neues zu importieren.</translation>
    </message>
    <message>
        <source>Nothing remembered yet</source>
        <translation>Noch nichts gemerkt</translation>
    </message>
    <message>
        <source>Nothing sent to {host} is encrypted: others in your network could read it.</source>
        <translation>Was an {host} geht, ist nicht verschlüsselt: Andere in deinem Netz könnten es lesen.</translation>
    </message>
    <message>
        <source>Nothing to move: no models downloaded yet.</source>
        <translation>Nichts zu verschieben: noch keine Modelle heruntergeladen.</translation>
    </message>
    <message>
        <source>Nothing to restore</source>
        <translation>Nichts wiederherzustellen</translation>
    </message>
    <message>
        <source>Nothing was changed.</source>
        <translation>Nichts wurde geändert.</translation>
    </message>
    <message>
        <source>Notify when a response finishes</source>
        <translation>Benachrichtigen, wenn eine Antwort fertig ist</translation>
    </message>
    <message>
        <source>Nov</source>
        <translation>Nov.</translation>
    </message>
    <message>
        <source>November</source>
        <translation>November</translation>
    </message>
    <message>
        <source>Now: {condition}</source>
        <translation>Jetzt: {condition}</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>Zahl</translation>
    </message>
    <message>
        <source>Number of parameters</source>
        <translation>Anzahl der Parameter</translation>
    </message>
    <message>
        <source>Oct</source>
        <translation>Okt.</translation>
    </message>
    <message>
        <source>October</source>
        <translation>Oktober</translation>
    </message>
    <message>
        <source>Of the search provider above, which alone receives it. SearXNG needs none.</source>
        <translation>Schlüssel des Suchanbieters oben, der ihn als einziger erhält. SearXNG braucht keinen.</translation>
    </message>
    <message numerus="yes">
        <source>Of {questions}, %n entry has no known form and was not asked.|Of {questions}, %n entries have no known form and were not asked.</source>
        <translation>
            <numerusform>Aus {questions} hat %n Eintrag keine bekannte Form und wurde nicht gefragt.</numerusform>
            <numerusform>Aus {questions} haben %n Einträge keine bekannte Form und wurden nicht gefragt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Of {questions}, %n more question was not asked.|Of {questions}, %n more questions were not asked.</source>
        <translation>
            <numerusform>Aus {questions} wurde %n weitere Frage nicht gestellt.</numerusform>
            <numerusform>Aus {questions} wurden %n weitere Fragen nicht gestellt.</numerusform>
        </translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>Off lets every program on this computer use your models, as Ollama does.</source>
        <translation>Ist dies aus, kann jedes Programm auf diesem Computer deine Modelle verwenden, wie bei Ollama.</translation>
    </message>
    <message>
        <source>Off until you turn them on under Tools on its page: {names}.</source>
        <translation>Aus, bis du sie auf der Seite des Projekts unter „Werkzeuge“ einschaltest: {names}.</translation>
    </message>
    <message>
        <source>Off: nothing listens on the network. Turn on “{setting}” to use your models from a phone or another computer.</source>
        <translation>Aus: Im Netzwerk lauscht nichts. „{setting}“ einschalten, um die Modelle von einem Telefon oder einem anderen Computer aus zu nutzen.</translation>
    </message>
    <message>
        <source>Offer models of servers</source>
        <translation>Modelle von Servern anbieten</translation>
    </message>
    <message>
        <source>Offline mode</source>
        <translation>Offline-Modus</translation>
    </message>
    <message>
        <source>Offline mode is on</source>
        <translation>Der Offline-Modus ist an</translation>
    </message>
    <message>
        <source>Offline mode is on, so Hugging Face was not contacted.</source>
        <translation>Der Offline-Modus ist an, daher wurde Hugging Face nicht kontaktiert.</translation>
    </message>
    <message>
        <source>Offline mode is on, so the MCP server {name} was not contacted.</source>
        <translation>Der Offline-Modus ist an, deshalb wurde der MCP-Server {name} nicht kontaktiert.</translation>
    </message>
    <message>
        <source>Offline mode is on, so {host} was not contacted.</source>
        <translation>Der Offline-Modus ist an, deshalb wurde {host} nicht kontaktiert.</translation>
    </message>
    <message>
        <source>Offline mode is on. Turn it off in the settings to download this.</source>
        <translation>Der Offline-Modus ist an. Schalte ihn in den Einstellungen aus, um das herunterzuladen.</translation>
    </message>
    <message>
        <source>Offline mode is on: search and downloads are disabled.</source>
        <translation>Der Offline-Modus ist an: Suche und Downloads sind deaktiviert.</translation>
    </message>
    <message>
        <source>Offload KV cache to GPU</source>
        <translation>KV-Cache auf die GPU auslagern</translation>
    </message>
    <message>
        <source>Offload prompt processing</source>
        <translation>Prompt-Verarbeitung auslagern</translation>
    </message>
    <message>
        <source>Older</source>
        <translation>Älter</translation>
    </message>
    <message>
        <source>Ollama adds a LoRA adapter to this model. Fireside would run it without.</source>
        <translation>Ollama fügt diesem Modell einen LoRA-Adapter hinzu. Fireside würde es ohne ausführen.</translation>
    </message>
    <message>
        <source>On</source>
        <comment>this day</comment>
        <translation>Auf</translation>
    </message>
    <message>
        <source>On</source>
        <translation>Auf</translation>
    </message>
    <message>
        <source>On a message</source>
        <translation>Bei einer Nachricht</translation>
    </message>
    <message>
        <source>On {host}</source>
        <translation>Auf {host}</translation>
    </message>
    <message>
        <source>On {host}, unavailable</source>
        <translation>Auf {host}, nicht verfügbar</translation>
    </message>
    <message>
        <source>On {name}, open Settings → Local API → Other devices → Pair device. Paste its link as address, or its access token as API key, and compare the certificate fingerprint: anyone on the network can announce a name.</source>
        <translation>Auf {name} Einstellungen → Lokale API → Andere Geräte → Gerät koppeln öffnen. Den Link als Adresse einfügen oder das Zugriffstoken als API-Schlüssel, und den Fingerabdruck des Zertifikats vergleichen: Einen Namen ankündigen kann jeder im Netzwerk.</translation>
    </message>
    <message numerus="yes">
        <source>One file with %n chat, the instructions and settings. It can be imported again.|One file with %n chats, the instructions and settings. It can be imported again.</source>
        <translation>
            <numerusform>Eine Datei mit %n Chat, den Anweisungen und Einstellungen. Sie lässt sich wieder importieren.</numerusform>
            <numerusform>Eine Datei mit %n Chats, den Anweisungen und Einstellungen. Sie lässt sich wieder importieren.</numerusform>
        </translation>
    </message>
    <message>
        <source>One line about you, with up to {n} characters.</source>
        <translation>Eine Zeile über dich, mit höchstens {n} Zeichen.</translation>
    </message>
    <message>
        <source>One moment…</source>
        <translation>Einen Moment…</translation>
    </message>
    <message>
        <source>One number per GPU, such as 3, 1; empty to split by free memory.</source>
        <translation>Eine Zahl je GPU, etwa 3, 1; leer teilt nach freiem Speicher auf.</translation>
    </message>
    <message>
        <source>One number per adapter, in order and separated by commas. 1 is full strength.</source>
        <translation>Eine Zahl je Adapter, in ihrer Reihenfolge und durch Kommas getrennt. 1 ist volle Stärke.</translation>
    </message>
    <message>
        <source>One number per file, in order and separated by commas. 1 is full strength.</source>
        <translation>Eine Zahl je Datei, in ihrer Reihenfolge und durch Kommas getrennt. 1 ist volle Stärke.</translation>
    </message>
    <message>
        <source>One of four</source>
        <translation>Eins von vieren</translation>
    </message>
    <message>
        <source>One of {count} parts of a model, but renamed. Restore the original names of the parts.</source>
        <translation>Einer von {count} Teilen eines Modells, aber umbenannt. Gib den Teilen ihre ursprünglichen Namen zurück.</translation>
    </message>
    <message>
        <source>One per line</source>
        <translation>Eine Angabe pro Zeile</translation>
    </message>
    <message>
        <source>One short sentence</source>
        <translation>Ein kurzer Satz</translation>
    </message>
    <message>
        <source>One “pattern=device” per line, such as ffn_(up|down)=CPU. The first match wins.</source>
        <translation>Ein „Muster=Gerät“ pro Zeile, etwa ffn_(up|down)=CPU. Der erste Treffer gilt.</translation>
    </message>
    <message numerus="yes">
        <source>Only %n passage read ({share})|Only %n passages read ({share})</source>
        <translation>
            <numerusform>Nur %n Textstelle gelesen ({share})</numerusform>
            <numerusform>Nur %n Textstellen gelesen ({share})</numerusform>
        </translation>
    </message>
    <message>
        <source>Only a temporary chat has to be kept</source>
        <translation>Nur ein temporärer Chat muss behalten werden</translation>
    </message>
    <message>
        <source>Only for this answer. Other versions are kept.</source>
        <translation>Nur für diese Antwort. Andere Versionen bleiben erhalten.</translation>
    </message>
    <message>
        <source>Only for {name}.</source>
        <translation>Nur für {name}.</translation>
    </message>
    <message>
        <source>Only the best passages were sent: a summary, list or count of everything may be wrong.</source>
        <translation>Nur die besten Textstellen wurden gesendet: Eine Zusammenfassung, Liste oder Zählung von allem kann falsch sein.</translation>
    </message>
    <message>
        <source>Only the first {n_read} of its {n_pages} pages were read.</source>
        <translation>Nur die ersten {n_read} von {n_pages} Seiten wurden gelesen.</translation>
    </message>
    <message>
        <source>Only the first {n_read} of its {n_pages} pages were read: it takes too long.</source>
        <translation>Nur die ersten {n_read} von {n_pages} Seiten wurden gelesen: Es dauert zu lange.</translation>
    </message>
    <message>
        <source>Only the first {n} characters were read.</source>
        <translation>Nur die ersten {n} Zeichen wurden gelesen.</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Open WebUI folder {name}</source>
        <translation>Open-WebUI-Ordner {name}</translation>
    </message>
    <message>
        <source>Open beside the chat, {name}</source>
        <translation>Neben dem Chat öffnen, {name}</translation>
    </message>
    <message>
        <source>Open branch</source>
        <translation>Zweig öffnen</translation>
    </message>
    <message>
        <source>Open chat in new window</source>
        <translation>Chat in neuem Fenster öffnen</translation>
    </message>
    <message>
        <source>Open chat “{title}”</source>
        <translation>Chat „{title}“ öffnen</translation>
    </message>
    <message>
        <source>Open file</source>
        <translation>Datei öffnen</translation>
    </message>
    <message>
        <source>Open in Fireside</source>
        <translation>In Fireside öffnen</translation>
    </message>
    <message>
        <source>Open in browser</source>
        <translation>Im Browser öffnen</translation>
    </message>
    <message>
        <source>Open in new window</source>
        <translation>In neuem Fenster öffnen</translation>
    </message>
    <message>
        <source>Open licence page</source>
        <translation>Lizenzseite öffnen</translation>
    </message>
    <message>
        <source>Open licence page: {name}</source>
        <translation>Lizenzseite öffnen: {name}</translation>
    </message>
    <message>
        <source>Open on Hugging Face</source>
        <translation>Auf Hugging Face öffnen</translation>
    </message>
    <message>
        <source>Open settings</source>
        <translation>Einstellungen öffnen</translation>
    </message>
    <message>
        <source>Open the sign-in page of {name}</source>
        <translation>Anmeldeseite von {name} öffnen</translation>
    </message>
    <message>
        <source>Open this page?</source>
        <translation>Diese Seite öffnen?</translation>
    </message>
    <message>
        <source>Open tools</source>
        <translation>Werkzeuge öffnen</translation>
    </message>
    <message>
        <source>Open {name}</source>
        <translation>{name} öffnen</translation>
    </message>
    <message>
        <source>Open {url}</source>
        <translation>{url} öffnen</translation>
    </message>
    <message>
        <source>OpenAI-compatible</source>
        <translation>OpenAI-kompatibel</translation>
    </message>
    <message>
        <source>Opening the microphone…</source>
        <translation>Mikrofon wird geöffnet…</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Öffnen…</translation>
    </message>
    <message>
        <source>Operation not permitted</source>
        <translation>das System erlaubt es nicht</translation>
    </message>
    <message>
        <source>Optional</source>
        <translation>Optional</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>Optionen</translation>
    </message>
    <message>
        <source>Orange</source>
        <translation>Orange</translation>
    </message>
    <message>
        <source>Orders texts by how well they answer a question. Cannot chat.</source>
        <translation>Ordnet Texte danach, wie gut sie eine Frage beantworten. Kann nicht chatten.</translation>
    </message>
    <message>
        <source>Original file</source>
        <translation>Originaldatei</translation>
    </message>
    <message>
        <source>Original name</source>
        <translation>Ursprünglicher Name</translation>
    </message>
    <message>
        <source>Original name: {own}</source>
        <translation>Ursprünglicher Name: {own}</translation>
    </message>
    <message>
        <source>Origins that may use the local API, such as “https://example.org” or “app://obsidian.md”.</source>
        <translation>Origins, die die lokale API nutzen dürfen, etwa „https://example.org“ oder „app://obsidian.md“.</translation>
    </message>
    <message>
        <source>Other Firesides find it under “Look on this network”.</source>
        <translation>Andere Firesides finden ihn mit „In diesem Netzwerk suchen“.</translation>
    </message>
    <message>
        <source>Other computers could use it: add an access token and require it first.</source>
        <translation>Andere Computer könnten sie verwenden: Füge zuerst ein Zugriffstoken hinzu und verlange es.</translation>
    </message>
    <message>
        <source>Other devices</source>
        <translation>Andere Geräte</translation>
    </message>
    <message>
        <source>Other devices cannot connect: {reason}</source>
        <translation>Andere Geräte können sich nicht verbinden: {reason}</translation>
    </message>
    <message>
        <source>Other models</source>
        <translation>Andere Modelle</translation>
    </message>
    <message>
        <source>Other models…</source>
        <translation>Andere Modelle…</translation>
    </message>
    <message>
        <source>Other programs</source>
        <translation>Andere Programme</translation>
    </message>
    <message>
        <source>Other programs and models</source>
        <translation>Andere Programme und Modelle</translation>
    </message>
    <message>
        <source>Other programs and the system</source>
        <translation>Andere Programme und das System</translation>
    </message>
    <message>
        <source>Other programs took {size} of RAM since the model was loaded. It may slow down; reloading with less memory helps.</source>
        <translation>Andere Programme haben seit dem Laden {size} RAM belegt. Das Modell kann langsamer werden; neu laden mit weniger Speicher hilft.</translation>
    </message>
    <message>
        <source>Other programs took {size} of {device} since the model was loaded. It may slow down; reloading with less memory helps.</source>
        <translation>Andere Programme haben seit dem Laden {size} von {device} belegt. Das Modell kann langsamer werden; neu laden mit weniger Speicher hilft.</translation>
    </message>
    <message>
        <source>Other programs used {load} of the CPU, so these figures are rough.</source>
        <translation>Andere Programme nutzten {load} der CPU, daher sind diese Zahlen ungenau.</translation>
    </message>
    <message>
        <source>Outside your own network it must start with “https://”.</source>
        <translation>Außerhalb deines eigenen Netzes muss sie mit „https://“ beginnen.</translation>
    </message>
    <message>
        <source>Over 80B</source>
        <translation>Über 80B</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>Überblick</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>Besitzer</translation>
    </message>
    <message>
        <source>Package index</source>
        <translation>Paketindex</translation>
    </message>
    <message>
        <source>Page {number} of {pages}</source>
        <translation>Seite {number} von {pages}</translation>
    </message>
    <message>
        <source>Page {page} could not be read.</source>
        <translation>Seite {page} war nicht lesbar.</translation>
    </message>
    <message>
        <source>Pages, images, documents, tables, diagrams and longer code of this chat’s answers.</source>
        <translation>Seiten, Bilder, Dokumente, Tabellen, Diagramme und längerer Code aus den Antworten dieses Chats.</translation>
    </message>
    <message>
        <source>Pair</source>
        <translation>Koppeln</translation>
    </message>
    <message>
        <source>Pair device</source>
        <translation>Gerät koppeln</translation>
    </message>
    <message>
        <source>Pair device…</source>
        <translation>Gerät koppeln…</translation>
    </message>
    <message>
        <source>Paired devices connect to {address}, encrypted with this computer’s own certificate.</source>
        <translation>Gekoppelte Geräte verbinden sich mit {address}, verschlüsselt mit dem eigenen Zertifikat dieses Computers.</translation>
    </message>
    <message>
        <source>Panel width</source>
        <translation>Breite der Leiste</translation>
    </message>
    <message>
        <source>Parallel</source>
        <translation>Parallel</translation>
    </message>
    <message>
        <source>Parallel requests</source>
        <translation>Parallele Anfragen</translation>
    </message>
    <message>
        <source>Parallel requests share the memory of one context and are computed together. Turn off for results that depend less on other requests.</source>
        <translation>Parallele Anfragen teilen sich den Speicher eines Kontexts und werden gemeinsam berechnet. Ausgeschaltet hängen Ergebnisse weniger von anderen Anfragen ab.</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Part of Fireside; cannot be removed.</source>
        <translation>Teil von Fireside; kann nicht entfernt werden.</translation>
    </message>
    <message>
        <source>Part of its text is hidden from readers; it was read too, and is marked.</source>
        <translation>Ein Teil des Textes ist für Leser unsichtbar; er wurde mitgelesen und ist markiert.</translation>
    </message>
    <message>
        <source>Part of the context kept free for the response, at most a quarter of it.</source>
        <translation>Teil des Kontexts, der für die Antwort frei bleibt, höchstens ein Viertel.</translation>
    </message>
    <message>
        <source>Part {missing} of {count} is missing.</source>
        <translation>Teil {missing} von {count} fehlt.</translation>
    </message>
    <message>
        <source>Part {number} contains another part. The parts were mixed up.</source>
        <translation>Teil {number} enthält einen anderen Teil. Die Teile wurden vertauscht.</translation>
    </message>
    <message>
        <source>Part {number} does not belong to the other parts.</source>
        <translation>Teil {number} gehört nicht zu den anderen Teilen.</translation>
    </message>
    <message>
        <source>Partly on GPU</source>
        <translation>Teilweise auf GPU</translation>
    </message>
    <message>
        <source>Partly reprocessed: an earlier message was edited.</source>
        <translation>Teils neu verarbeitet: Eine frühere Nachricht wurde bearbeitet.</translation>
    </message>
    <message>
        <source>Partly reprocessed: oldest messages were dropped.</source>
        <translation>Teils neu verarbeitet: Älteste Nachrichten wurden weggelassen.</translation>
    </message>
    <message>
        <source>Partly reprocessed: the model was changed.</source>
        <translation>Teils neu verarbeitet: Das Modell wurde gewechselt.</translation>
    </message>
    <message>
        <source>Partly reprocessed: the model was reloaded with other settings.</source>
        <translation>Teils neu verarbeitet: Das Modell wurde mit anderen Einstellungen neu geladen.</translation>
    </message>
    <message>
        <source>Partly reprocessed: the prompt cache could not be used.</source>
        <translation>Teils neu verarbeitet: Der Prompt-Cache war nicht verwendbar.</translation>
    </message>
    <message>
        <source>Partly reprocessed: the prompt cache was needed for other chats.</source>
        <translation>Teils neu verarbeitet: Der Prompt-Cache wurde für andere Chats gebraucht.</translation>
    </message>
    <message>
        <source>Partly reprocessed: the template removes earlier thinking.</source>
        <translation>Teils neu verarbeitet: Die Vorlage entfernt früheres Nachdenken.</translation>
    </message>
    <message>
        <source>Partly reprocessed: this model keeps only the latest part of the context.</source>
        <translation>Teils neu verarbeitet: Dieses Modell behält nur den letzten Teil des Kontexts.</translation>
    </message>
    <message>
        <source>Parts {most} and {last} of {count} are missing.</source>
        <translation>Die Teile {most} und {last} von {count} fehlen.</translation>
    </message>
    <message>
        <source>Passages</source>
        <translation>Textstellen</translation>
    </message>
    <message>
        <source>Passages per question</source>
        <translation>Textstellen je Frage</translation>
    </message>
    <message>
        <source>Passphrase</source>
        <translation>Passphrase</translation>
    </message>
    <message>
        <source>Passphrase of the backup</source>
        <translation>Passphrase der Sicherung</translation>
    </message>
    <message>
        <source>Passphrase until now</source>
        <translation>Bisherige Passphrase</translation>
    </message>
    <message>
        <source>Passphrase, once more</source>
        <translation>Passphrase, noch einmal</translation>
    </message>
    <message>
        <source>Paste key</source>
        <translation>Schlüssel einfügen</translation>
    </message>
    <message>
        <source>Paste token</source>
        <translation>Token einfügen</translation>
    </message>
    <message>
        <source>Pasted image.png</source>
        <translation>Eingefügtes Bild.png</translation>
    </message>
    <message>
        <source>Pasted text, {size}</source>
        <translation>Eingefügter Text, {size}</translation>
    </message>
    <message numerus="yes">
        <source>Pasted text, {size}, %n line|Pasted text, {size}, %n lines</source>
        <translation>
            <numerusform>Eingefügter Text, {size}, %n Zeile</numerusform>
            <numerusform>Eingefügter Text, {size}, %n Zeilen</numerusform>
        </translation>
    </message>
    <message>
        <source>Path</source>
        <translation>Pfad</translation>
    </message>
    <message>
        <source>Patient tutor</source>
        <translation>Geduldiger Lehrer</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Pause all</source>
        <translation>Alle pausieren</translation>
    </message>
    <message>
        <source>Pause indexing</source>
        <translation>Indizierung anhalten</translation>
    </message>
    <message>
        <source>Pause {name}</source>
        <translation>{name} pausieren</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
    <message>
        <source>Paused at {percent}</source>
        <translation>Pausiert bei {percent}</translation>
    </message>
    <message>
        <source>Penalises repeating whole sequences. 0 is off.</source>
        <translation>Bestraft das Wiederholen ganzer Wortfolgen. 0 schaltet es aus.</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>die Berechtigung fehlt</translation>
    </message>
    <message>
        <source>Permissions</source>
        <translation>Berechtigungen</translation>
    </message>
    <message>
        <source>Permissions of the device</source>
        <translation>Berechtigungen des Geräts</translation>
    </message>
    <message>
        <source>Permissions of the new access token</source>
        <translation>Berechtigungen des neuen Zugriffstokens</translation>
    </message>
    <message>
        <source>Perplexity</source>
        <translation>Perplexität</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Anheften</translation>
    </message>
    <message>
        <source>Pin chat</source>
        <translation>Chat anheften</translation>
    </message>
    <message>
        <source>Pin message</source>
        <translation>Nachricht anheften</translation>
    </message>
    <message>
        <source>Pin or unpin chat</source>
        <translation>Chat anheften oder lösen</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>Angeheftet</translation>
    </message>
    <message>
        <source>Pinned certificate</source>
        <translation>Festgelegtes Zertifikat</translation>
    </message>
    <message>
        <source>Pinned. {name}</source>
        <translation>Angeheftet. {name}</translation>
    </message>
    <message>
        <source>Planned memory</source>
        <translation>Geplanter Speicher</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Play {name}</source>
        <translation>{name} abspielen</translation>
    </message>
    <message>
        <source>Playing audio needs a download</source>
        <translation>Audio abzuspielen braucht einen Download</translation>
    </message>
    <message>
        <source>Point at a setting to read what it does.</source>
        <translation>Zeige auf eine Einstellung, um zu lesen, was sie tut.</translation>
    </message>
    <message>
        <source>Pools are no longer part of Fireside. Each of their servers now has {name} in the list of models: choose one in the chats that used the pool. A router gives several servers one address.</source>
        <translation>Pools gibt es in Fireside nicht mehr. Jeder ihrer Server hat {name} nun selbst in der Modellliste: Wähle einen in den Chats, die den Pool verwendet haben. Ein Router gibt mehreren Servern eine Adresse.</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>Port</translation>
    </message>
    <message>
        <source>Port for other devices</source>
        <translation>Port für andere Geräte</translation>
    </message>
    <message>
        <source>Port {port} is in use by another program. Choose another port.</source>
        <translation>Den Port {port} benutzt ein anderes Programm. Wähle einen anderen.</translation>
    </message>
    <message>
        <source>Position in {name}, in seconds</source>
        <translation>Position in {name}, in Sekunden</translation>
    </message>
    <message>
        <source>Position scale, such as 0.25 for four times the context; 0 is automatic.</source>
        <translation>Skalierung der Positionen, etwa 0,25 für den vierfachen Kontext; 0 wählt sie automatisch.</translation>
    </message>
    <message>
        <source>PowerPoint: each heading begins a slide.</source>
        <translation>PowerPoint: Jede Überschrift beginnt eine Folie.</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>Vorhergesagt</translation>
    </message>
    <message>
        <source>Prefers tokens near this probability, on average over the response; 0 is off.</source>
        <translation>Bevorzugt Tokens nahe dieser Wahrscheinlichkeit, im Mittel über die Antwort; 0 ist aus.</translation>
    </message>
    <message>
        <source>Prefers tokens of typical surprise. 1 is off.</source>
        <translation>Bevorzugt Tokens, die etwa so überraschend sind wie üblich. 1 schaltet es aus.</translation>
    </message>
    <message>
        <source>Preparing the engine: {percent}%</source>
        <translation>Die Engine wird vorbereitet: {percent} %</translation>
    </message>
    <message>
        <source>Preparing the engine: {percent}%, {time}</source>
        <translation>Die Engine wird vorbereitet: {percent} %, {time}</translation>
    </message>
    <message>
        <source>Preparing the engine… {percent}%</source>
        <translation>Die Engine wird vorbereitet… {percent} %</translation>
    </message>
    <message>
        <source>Preparing the voice…</source>
        <translation>Stimme wird vorbereitet…</translation>
    </message>
    <message>
        <source>Preparing to move to {folder}…</source>
        <translation>Verschieben nach {folder} wird vorbereitet…</translation>
    </message>
    <message>
        <source>Preparing…</source>
        <translation>Wird vorbereitet…</translation>
    </message>
    <message>
        <source>Presence penalty</source>
        <translation>Anwesenheitsstrafe</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>Preset</translation>
    </message>
    <message>
        <source>Preset not saved: {reason}</source>
        <translation>Preset nicht gespeichert: {reason}</translation>
    </message>
    <message>
        <source>Preset of this chat; click to change</source>
        <translation>Preset dieses Chats; klicken zum Ändern</translation>
    </message>
    <message>
        <source>Preset settings</source>
        <translation>Einstellungen des Presets</translation>
    </message>
    <message>
        <source>Preset {place} cannot be read.</source>
        <translation>Preset {place} ist nicht lesbar.</translation>
    </message>
    <message>
        <source>Preset “{preset}”</source>
        <translation>Preset „{preset}“</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>Presets</translation>
    </message>
    <message>
        <source>Presets (*.json)</source>
        <translation>Presets (*.json)</translation>
    </message>
    <message>
        <source>Presets and commands</source>
        <translation>Presets und Befehle</translation>
    </message>
    <message numerus="yes">
        <source>Presets and commands, %n line|Presets and commands, %n lines</source>
        <translation>
            <numerusform>Presets und Befehle, %n Zeile</numerusform>
            <numerusform>Presets und Befehle, %n Zeilen</numerusform>
        </translation>
    </message>
    <message>
        <source>Presets cannot contain this setting.</source>
        <translation>Presets können diese Einstellung nicht enthalten.</translation>
    </message>
    <message>
        <source>Presets…</source>
        <translation>Presets…</translation>
    </message>
    <message>
        <source>Press keys…</source>
        <translation>Tasten drücken…</translation>
    </message>
    <message>
        <source>Press to record new keys; Esc cancels, Backspace removes</source>
        <translation>Drücken, um neue Tasten aufzunehmen; Esc bricht ab, Rücktaste entfernt</translation>
    </message>
    <message>
        <source>Prevents swapping to disk. The whole model must fit in RAM.</source>
        <translation>Verhindert das Auslagern auf den Datenträger. Das ganze Modell muss in den RAM passen.</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <source>Preview. Escape leaves it.</source>
        <translation>Vorschau. Escape verlässt sie.</translation>
    </message>
    <message>
        <source>Previous 30 days</source>
        <translation>Letzte 30 Tage</translation>
    </message>
    <message>
        <source>Previous 7 days</source>
        <translation>Letzte 7 Tage</translation>
    </message>
    <message>
        <source>Previous area</source>
        <translation>Voriger Bereich</translation>
    </message>
    <message>
        <source>Previous chat</source>
        <translation>Voriger Chat</translation>
    </message>
    <message>
        <source>Previous match (Shift+Enter)</source>
        <translation>Voriger Treffer (Umschalt+Enter)</translation>
    </message>
    <message>
        <source>Previous message</source>
        <translation>Vorige Nachricht</translation>
    </message>
    <message>
        <source>Previous page</source>
        <translation>Vorige Seite</translation>
    </message>
    <message>
        <source>Previous passage</source>
        <translation>Vorige Textstelle</translation>
    </message>
    <message>
        <source>Previous version</source>
        <translation>Vorige Version</translation>
    </message>
    <message>
        <source>Previous version (Alt+Left)</source>
        <translation>Vorige Version (Alt+Links)</translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation>Datenschutz</translation>
    </message>
    <message>
        <source>Private</source>
        <translation>Privat</translation>
    </message>
    <message>
        <source>Private data from: {names}.</source>
        <translation>Private Daten aus: {names}.</translation>
    </message>
    <message>
        <source>Problems:</source>
        <translation>Probleme:</translation>
    </message>
    <message>
        <source>Processes prompts on the GPU also for layers kept in RAM. Turn off if the connection to the GPU is slow.</source>
        <translation>Verarbeitet Prompts auch für Schichten im RAM auf der GPU. Bei langsamer Anbindung der GPU ausschalten.</translation>
    </message>
    <message numerus="yes">
        <source>Processing prompt… {done} of %n token|Processing prompt… {done} of %n tokens</source>
        <translation>
            <numerusform>Prompt wird verarbeitet… {done} von %n Token</numerusform>
            <numerusform>Prompt wird verarbeitet… {done} von %n Tokens</numerusform>
        </translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>Program file</source>
        <translation>Programmdatei</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message numerus="yes">
        <source>Project exported: %n chat|Project exported: %n chats</source>
        <translation>
            <numerusform>Projekt exportiert: %n Chat</numerusform>
            <numerusform>Projekt exportiert: %n Chats</numerusform>
        </translation>
    </message>
    <message>
        <source>Project instructions</source>
        <translation>Anweisungen des Projekts</translation>
    </message>
    <message>
        <source>Project with instructions; click to see and change them</source>
        <translation>Projekt mit Anweisungen; ein Klick zeigt sie, dort lassen sie sich ändern</translation>
    </message>
    <message>
        <source>Project “{name}”</source>
        <translation>Projekt „{name}“</translation>
    </message>
    <message>
        <source>Project “{name}” deleted with its instructions and settings</source>
        <translation>Projekt „{name}“ mit seinen Anweisungen und Einstellungen gelöscht</translation>
    </message>
    <message numerus="yes">
        <source>Project “{name}” deleted with its instructions and settings; its chat was kept|Project “{name}” deleted with its instructions and settings; its %n chats were kept</source>
        <translation>
            <numerusform>Projekt „{name}“ mit seinen Anweisungen und Einstellungen gelöscht; sein Chat blieb erhalten</numerusform>
            <numerusform>Projekt „{name}“ mit seinen Anweisungen und Einstellungen gelöscht; seine %n Chats blieben erhalten</numerusform>
        </translation>
    </message>
    <message>
        <source>Project “{name}” imported.</source>
        <translation>Projekt „{name}“ importiert.</translation>
    </message>
    <message>
        <source>Project “{name}” was here already.</source>
        <translation>Das Projekt „{name}“ war schon hier.</translation>
    </message>
    <message>
        <source>Project “{name}” was here; what you changed in it stays.</source>
        <translation>Das Projekt „{name}“ war schon hier; was daran geändert wurde, bleibt.</translation>
    </message>
    <message>
        <source>Project; click to see what its chats share</source>
        <translation>Projekt; ein Klick zeigt, was seine Chats gemeinsam haben</translation>
    </message>
    <message>
        <source>Projector</source>
        <translation>Projektor</translation>
    </message>
    <message>
        <source>Projects</source>
        <translation>Projekte</translation>
    </message>
    <message>
        <source>Projects (*.zip)</source>
        <translation>Projekte (*.zip)</translation>
    </message>
    <message>
        <source>Project…</source>
        <translation>Projekt…</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <source>Prompt cache</source>
        <translation>Prompt-Cache</translation>
    </message>
    <message numerus="yes">
        <source>Prompt cache: %n token from RAM|Prompt cache: %n tokens from RAM</source>
        <translation>
            <numerusform>Prompt-Cache: %n Token aus dem RAM</numerusform>
            <numerusform>Prompt-Cache: %n Tokens aus dem RAM</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Prompt cache: %n token from disk|Prompt cache: %n tokens from disk</source>
        <translation>
            <numerusform>Prompt-Cache: %n Token vom Datenträger</numerusform>
            <numerusform>Prompt-Cache: %n Tokens vom Datenträger</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Prompt cache: %n token in the context|Prompt cache: %n tokens in the context</source>
        <translation>
            <numerusform>Prompt-Cache: %n Token im Kontext</numerusform>
            <numerusform>Prompt-Cache: %n Tokens im Kontext</numerusform>
        </translation>
    </message>
    <message>
        <source>Prompt cache: RAM</source>
        <translation>Prompt-Cache: RAM</translation>
    </message>
    <message>
        <source>Prompt cache: disk</source>
        <translation>Prompt-Cache: Datenträger</translation>
    </message>
    <message>
        <source>Prompt not saved: {problem}</source>
        <translation>Prompt nicht gespeichert: {problem}</translation>
    </message>
    <message>
        <source>Prompt of the MCP server {server}. You can change the text before you send it.</source>
        <translation>Prompt des MCP-Servers {server}. Sie können den Text vor dem Senden ändern.</translation>
    </message>
    <message>
        <source>Prompt processing</source>
        <translation>Prompt-Verarbeitung</translation>
    </message>
    <message>
        <source>Prompt processing, tokens/s</source>
        <translation>Prompt-Verarbeitung, Tokens/s</translation>
    </message>
    <message>
        <source>Prompt threads (batch)</source>
        <translation>Prompt-Threads (Batch)</translation>
    </message>
    <message>
        <source>Proxy</source>
        <translation>Proxy</translation>
    </message>
    <message>
        <source>Purple</source>
        <translation>Lila</translation>
    </message>
    <message>
        <source>Putting everything back as it was.</source>
        <translation>Alles wird zurückversetzt, wie es war.</translation>
    </message>
    <message>
        <source>Python</source>
        <translation>Python</translation>
    </message>
    <message>
        <source>Python code</source>
        <translation>Python-Code</translation>
    </message>
    <message>
        <source>Python code in chats goes without them until they are downloaded again.</source>
        <translation>Python-Code in Chats muss dann ohne sie auskommen, bis sie wieder heruntergeladen sind.</translation>
    </message>
    <message>
        <source>Python could not be started: {reason} Choose another one in Settings, Tools.</source>
        <translation>Python konnte nicht gestartet werden: {reason} Wähle ein anderes in Einstellungen, Werkzeuge.</translation>
    </message>
    <message>
        <source>Python for code</source>
        <translation>Python für Code</translation>
    </message>
    <message>
        <source>Q4_0 (4-bit)</source>
        <translation>Q4_0 (4 Bit)</translation>
    </message>
    <message>
        <source>Q4_0 (quarter of the memory)</source>
        <translation>Q4_0 (ein Viertel des Speichers)</translation>
    </message>
    <message>
        <source>Q4_1 (4-bit)</source>
        <translation>Q4_1 (4 Bit)</translation>
    </message>
    <message>
        <source>Q5_0 (5-bit)</source>
        <translation>Q5_0 (5 Bit)</translation>
    </message>
    <message>
        <source>Q5_1 (5-bit)</source>
        <translation>Q5_1 (5 Bit)</translation>
    </message>
    <message>
        <source>Q8_0 (8-bit)</source>
        <translation>Q8_0 (8 Bit)</translation>
    </message>
    <message>
        <source>Q8_0 (half the memory)</source>
        <translation>Q8_0 (halber Speicher)</translation>
    </message>
    <message>
        <source>QR code of the new device</source>
        <translation>QR-Code des neuen Geräts</translation>
    </message>
    <message>
        <source>Quantization</source>
        <translation>Quantisierung</translation>
    </message>
    <message>
        <source>Questions are answered from this collection; click to see what is sent</source>
        <translation>Fragen werden aus dieser Sammlung beantwortet; ein Klick zeigt, was gesendet wird</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>Einreihen</translation>
    </message>
    <message>
        <source>Queue (Enter)</source>
        <translation>Einreihen (Enter)</translation>
    </message>
    <message numerus="yes">
        <source>Queue full (%n request). Try again later.|Queue full (%n requests). Try again later.</source>
        <translation>
            <numerusform>Warteschlange voll (%n Anfrage). Versuche es später erneut.</numerusform>
            <numerusform>Warteschlange voll (%n Anfragen). Versuche es später erneut.</numerusform>
        </translation>
    </message>
    <message>
        <source>Queued</source>
        <translation>In Warteschlange</translation>
    </message>
    <message>
        <source>Queued messages</source>
        <translation>Wartende Nachrichten</translation>
    </message>
    <message>
        <source>Queued: {text}</source>
        <translation>In der Warteschlange: {text}</translation>
    </message>
    <message>
        <source>Queued; another file is being verified.</source>
        <translation>In der Warteschlange; eine andere Datei wird gerade geprüft.</translation>
    </message>
    <message>
        <source>Quick question</source>
        <translation>Kurze Frage</translation>
    </message>
    <message>
        <source>Quick question…</source>
        <translation>Kurze Frage…</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Quit now</source>
        <translation>Jetzt beenden</translation>
    </message>
    <message>
        <source>RAM</source>
        <translation>RAM</translation>
    </message>
    <message>
        <source>Random</source>
        <translation>Zufällig</translation>
    </message>
    <message>
        <source>Reachable</source>
        <translation>Erreichbar</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>Erneut lesen</translation>
    </message>
    <message>
        <source>Read aloud</source>
        <translation>Vorlesen</translation>
    </message>
    <message>
        <source>Read by {model}</source>
        <translation>Gelesen von {model}</translation>
    </message>
    <message>
        <source>Read document</source>
        <translation>Dokument lesen</translation>
    </message>
    <message>
        <source>Read everything</source>
        <translation>Alles lesen</translation>
    </message>
    <message>
        <source>Read everything…</source>
        <translation>Alles lesen…</translation>
    </message>
    <message>
        <source>Read file</source>
        <translation>Datei lesen</translation>
    </message>
    <message>
        <source>Read files</source>
        <translation>Dateien lesen</translation>
    </message>
    <message>
        <source>Read headers of search results</source>
        <translation>Header der Suchergebnisse lesen</translation>
    </message>
    <message>
        <source>Read in part</source>
        <translation>Teilweise gelesen</translation>
    </message>
    <message>
        <source>Read last answer aloud</source>
        <translation>Letzte Antwort vorlesen</translation>
    </message>
    <message>
        <source>Read licence: {words}</source>
        <translation>Lizenz lesen: {words}</translation>
    </message>
    <message>
        <source>Read on in result</source>
        <translation>Im Ergebnis weiterlesen</translation>
    </message>
    <message>
        <source>Read videos, and audio such as M4A.</source>
        <translation>Liest Videos, und Audio wie M4A.</translation>
    </message>
    <message>
        <source>Read web page</source>
        <translation>Webseite lesen</translation>
    </message>
    <message>
        <source>Read web pages</source>
        <translation>Webseiten lesen</translation>
    </message>
    <message>
        <source>Read-only file system</source>
        <translation>der Datenträger ist schreibgeschützt</translation>
    </message>
    <message>
        <source>Readable</source>
        <translation>Lesbar</translation>
    </message>
    <message>
        <source>Readable without errors; no checksum to compare with.</source>
        <translation>Fehlerfrei lesbar; keine Prüfsumme zum Vergleichen.</translation>
    </message>
    <message>
        <source>Readers of this file do not see part of this text: it is hidden there.</source>
        <translation>Ein Teil dieses Textes ist in der Datei verborgen und für Leser nicht zu sehen.</translation>
    </message>
    <message>
        <source>Reading aloud</source>
        <translation>Wird vorgelesen</translation>
    </message>
    <message>
        <source>Reading everything failed: {reason}</source>
        <translation>Alles lesen ist fehlgeschlagen: {reason}</translation>
    </message>
    <message>
        <source>Reading everything… {percent}%</source>
        <translation>Alles wird gelesen… {percent} %</translation>
    </message>
    <message>
        <source>Reading files…</source>
        <translation>Dateien werden gelesen…</translation>
    </message>
    <message>
        <source>Reading file…</source>
        <translation>Datei wird gelesen…</translation>
    </message>
    <message>
        <source>Reading images…</source>
        <translation>Bilder werden gelesen…</translation>
    </message>
    <message>
        <source>Reading model… {percent}%</source>
        <translation>Modell wird gelesen… {percent} %</translation>
    </message>
    <message>
        <source>Reading stopped</source>
        <translation>Lesen angehalten</translation>
    </message>
    <message>
        <source>Reading this format needs the component “Media formats”, which is a download.</source>
        <translation>Dieses Format zu lesen braucht die Komponente „Medienformate“, die sich herunterladen lässt.</translation>
    </message>
    <message>
        <source>Reading {name}</source>
        <translation>Liest {name}</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>Wird gelesen…</translation>
    </message>
    <message>
        <source>Reads documents, tables, diagrams and handwriting in images.</source>
        <translation>Liest Dokumente, Tabellen, Diagramme und Handschrift in Bildern.</translation>
    </message>
    <message>
        <source>Reads {folder}</source>
        <translation>Liest {folder}</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation>Reasoning</translation>
    </message>
    <message>
        <source>Reassign</source>
        <translation>Neu zuweisen</translation>
    </message>
    <message>
        <source>Receives the queries of web search. All but SearXNG need an API key.</source>
        <translation>Erhält die Anfragen der Websuche. Alle außer SearXNG brauchen einen API-Schlüssel.</translation>
    </message>
    <message>
        <source>Recognise</source>
        <translation>Erkennen</translation>
    </message>
    <message>
        <source>Recognise and speak</source>
        <translation>Sprache erkennen und sprechen</translation>
    </message>
    <message>
        <source>Recognised up to {time} alone: {reason}</source>
        <translation>Nur bis {time} erkannt: {reason}</translation>
    </message>
    <message>
        <source>Recognising…</source>
        <translation>Wird erkannt…</translation>
    </message>
    <message>
        <source>Recommended</source>
        <translation>Empfohlen</translation>
    </message>
    <message>
        <source>Recommended by its makers</source>
        <translation>Von den Herstellern empfohlen</translation>
    </message>
    <message>
        <source>Recommended for this computer: {quant}. {fit}</source>
        <translation>Für diesen Computer empfohlen: {quant}. {fit}</translation>
    </message>
    <message>
        <source>Recommended models</source>
        <translation>Empfohlene Modelle</translation>
    </message>
    <message>
        <source>Record token probabilities</source>
        <translation>Token-Wahrscheinlichkeiten aufzeichnen</translation>
    </message>
    <message>
        <source>Recorded during generation.</source>
        <translation>Beim Generieren aufgezeichnet.</translation>
    </message>
    <message>
        <source>Records the probability of each token while responding, so viewing them later is instant.</source>
        <translation>Zeichnet beim Antworten die Wahrscheinlichkeit jedes Tokens auf; sie sind dann sofort einsehbar.</translation>
    </message>
    <message>
        <source>Red</source>
        <translation>Rot</translation>
    </message>
    <message>
        <source>Refresh</source>
        <translation>Aktualisieren</translation>
    </message>
    <message>
        <source>Refuse</source>
        <translation>Ablehnen</translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation>Neu generieren</translation>
    </message>
    <message>
        <source>Regenerate with…</source>
        <translation>Neu generieren mit…</translation>
    </message>
    <message>
        <source>Regenerating summary…</source>
        <translation>Zusammenfassung wird neu generiert…</translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation>Regulärer Ausdruck</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>Neu laden</translation>
    </message>
    <message>
        <source>Reload anyway</source>
        <translation>Trotzdem neu laden</translation>
    </message>
    <message>
        <source>Reload now</source>
        <translation>Jetzt neu laden</translation>
    </message>
    <message>
        <source>Reload with less memory</source>
        <translation>Mit weniger Speicher neu laden</translation>
    </message>
    <message>
        <source>Reload with less memory and retry</source>
        <translation>Sparsamer laden und wiederholen</translation>
    </message>
    <message>
        <source>Reloading with less memory: {smaller}…</source>
        <translation>Wird mit weniger Speicher neu geladen: {smaller}…</translation>
    </message>
    <message>
        <source>Remember</source>
        <translation>Merken</translation>
    </message>
    <message>
        <source>Remember everywhere</source>
        <translation>Überall merken</translation>
    </message>
    <message>
        <source>Remember facts</source>
        <translation>Angaben merken</translation>
    </message>
    <message>
        <source>Remember in this chat</source>
        <translation>In diesem Chat merken</translation>
    </message>
    <message>
        <source>Remember in “{project}”</source>
        <translation>In „{project}“ merken</translation>
    </message>
    <message>
        <source>Remember this in future chats? You can change it.</source>
        <translation>Für künftige Chats merken? Du kannst es ändern.</translation>
    </message>
    <message>
        <source>Remembered facts</source>
        <translation>Gedächtnis</translation>
    </message>
    <message>
        <source>Remembered facts to servers</source>
        <translation>Gedächtnis an Server</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove API key</source>
        <translation>API-Schlüssel entfernen</translation>
    </message>
    <message>
        <source>Remove a file, or shorten your message.</source>
        <translation>Entferne eine Datei oder kürze deine Nachricht.</translation>
    </message>
    <message>
        <source>Remove access token</source>
        <translation>Zugriffstoken entfernen</translation>
    </message>
    <message>
        <source>Remove all</source>
        <translation>Alle entfernen</translation>
    </message>
    <message>
        <source>Remove all files</source>
        <translation>Alle Dateien entfernen</translation>
    </message>
    <message>
        <source>Remove answer</source>
        <translation>Antwort entfernen</translation>
    </message>
    <message>
        <source>Remove answer {number}</source>
        <translation>Antwort {number} entfernen</translation>
    </message>
    <message>
        <source>Remove collection</source>
        <translation>Sammlung entfernen</translation>
    </message>
    <message>
        <source>Remove from favourites</source>
        <translation>Aus Favoriten entfernen</translation>
    </message>
    <message>
        <source>Remove from folder</source>
        <translation>Aus Ordner entfernen</translation>
    </message>
    <message>
        <source>Remove from list</source>
        <translation>Aus Liste entfernen</translation>
    </message>
    <message>
        <source>Remove from list: {name}</source>
        <translation>Aus Liste entfernen: {name}</translation>
    </message>
    <message>
        <source>Remove from list…</source>
        <translation>Aus Liste entfernen…</translation>
    </message>
    <message>
        <source>Remove from queue</source>
        <translation>Aus der Warteschlange entfernen</translation>
    </message>
    <message>
        <source>Remove it from this computer?</source>
        <translation>Von diesem Computer entfernen?</translation>
    </message>
    <message>
        <source>Remove preset</source>
        <translation>Preset entfernen</translation>
    </message>
    <message>
        <source>Remove response format</source>
        <translation>Antwortformat entfernen</translation>
    </message>
    <message>
        <source>Remove server?</source>
        <translation>Server entfernen?</translation>
    </message>
    <message>
        <source>Remove tag {tag}</source>
        <translation>Tag {tag} entfernen</translation>
    </message>
    <message>
        <source>Remove text</source>
        <translation>Text entfernen</translation>
    </message>
    <message>
        <source>Remove the passphrase</source>
        <translation>Passphrase entfernen</translation>
    </message>
    <message>
        <source>Remove this folder from the list?</source>
        <translation>Diesen Ordner aus der Liste entfernen?</translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation>{name} entfernen</translation>
    </message>
    <message>
        <source>Remove {path}</source>
        <translation>{path} entfernen</translation>
    </message>
    <message>
        <source>Remove “{name}” from the list?</source>
        <translation>„{name}“ aus der Liste entfernen?</translation>
    </message>
    <message>
        <source>Remove “{name}”?</source>
        <translation>„{name}“ entfernen?</translation>
    </message>
    <message>
        <source>Remove: {label}</source>
        <translation>Entfernen: {label}</translation>
    </message>
    <message>
        <source>Removed</source>
        <translation>Entfernt</translation>
    </message>
    <message>
        <source>Removed collection</source>
        <translation>Entfernte Sammlung</translation>
    </message>
    <message>
        <source>Removed {name}</source>
        <translation>{name} entfernt</translation>
    </message>
    <message>
        <source>Removed “{name}” from the collection</source>
        <translation>„{name}“ aus der Sammlung entfernt</translation>
    </message>
    <message>
        <source>Removes finished downloads from the list; models stay</source>
        <translation>Entfernt fertige Downloads aus der Liste; Modelle bleiben</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>Entfernen…</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Rename artifact</source>
        <translation>Artefakt umbenennen</translation>
    </message>
    <message>
        <source>Rename chat</source>
        <translation>Chat umbenennen</translation>
    </message>
    <message>
        <source>Rename collection</source>
        <translation>Sammlung umbenennen</translation>
    </message>
    <message>
        <source>Rename project</source>
        <translation>Projekt umbenennen</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>Umbenennen…</translation>
    </message>
    <message>
        <source>Repair</source>
        <translation>Reparieren</translation>
    </message>
    <message>
        <source>Repair file</source>
        <translation>Datei reparieren</translation>
    </message>
    <message>
        <source>Repaired: {fetched} downloaded again.</source>
        <translation>Repariert: {fetched} neu heruntergeladen.</translation>
    </message>
    <message>
        <source>Repairing {percent}%</source>
        <translation>Reparatur {percent} %</translation>
    </message>
    <message>
        <source>Repeat last N</source>
        <translation>Fenster der Wiederholungsstrafe</translation>
    </message>
    <message>
        <source>Repeat penalty</source>
        <translation>Wiederholungsstrafe</translation>
    </message>
    <message>
        <source>Repetitions up to this length are not penalised.</source>
        <translation>Wiederholungen bis zu dieser Länge werden nicht bestraft.</translation>
    </message>
    <message>
        <source>Replace all chats</source>
        <translation>Alle Chats ersetzen</translation>
    </message>
    <message>
        <source>Reports each token’s probability with this many alternatives.</source>
        <translation>Zeigt zu jedem Token die Wahrscheinlichkeit und so viele Alternativen.</translation>
    </message>
    <message>
        <source>Requested</source>
        <translation>Angefragt</translation>
    </message>
    <message>
        <source>Requests per client</source>
        <translation>Anfragen pro Client</translation>
    </message>
    <message>
        <source>Requests that name a model you don’t have are answered by the current model.</source>
        <translation>Anfragen, die ein Modell nennen, das du nicht hast, beantwortet das aktuelle Modell.</translation>
    </message>
    <message>
        <source>Require an access token</source>
        <translation>Zugriffstoken verlangen</translation>
    </message>
    <message>
        <source>Requires reload</source>
        <translation>Neu laden nötig</translation>
    </message>
    <message>
        <source>Requires reload, about {seconds} s. {chats}</source>
        <translation>Neu laden nötig, etwa {seconds} s. {chats}</translation>
    </message>
    <message>
        <source>Requires reload. {chats}</source>
        <translation>Neu laden nötig. {chats}</translation>
    </message>
    <message>
        <source>Requires restart</source>
        <translation>Neustart nötig</translation>
    </message>
    <message>
        <source>Reranking</source>
        <translation>Reranking</translation>
    </message>
    <message>
        <source>Reranking for search; cannot chat</source>
        <translation>Reranking für die Suche; kann nicht chatten</translation>
    </message>
    <message>
        <source>Reranking model: ranks texts by relevance. Cannot chat.</source>
        <translation>Reranking-Modell: ordnet Texte nach Relevanz. Kann nicht chatten.</translation>
    </message>
    <message>
        <source>Rescan</source>
        <translation>Neu einlesen</translation>
    </message>
    <message>
        <source>Reserved for response</source>
        <translation>Für die Antwort reserviert</translation>
    </message>
    <message>
        <source>Reserved for text fields.</source>
        <translation>Für Textfelder reserviert.</translation>
    </message>
    <message>
        <source>Reserved response tokens</source>
        <translation>Für die Antwort reservierte Tokens</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation>Alle zurücksetzen</translation>
    </message>
    <message>
        <source>Reset text size</source>
        <translation>Textgröße zurücksetzen</translation>
    </message>
    <message>
        <source>Reset: {label}</source>
        <translation>Zurücksetzen: {label}</translation>
    </message>
    <message>
        <source>Reset: {words}</source>
        <translation>Zurücksetzen: {words}</translation>
    </message>
    <message>
        <source>Resolution</source>
        <translation>Auflösung</translation>
    </message>
    <message>
        <source>Resource of {name}…</source>
        <translation>Ressource von {name}…</translation>
    </message>
    <message>
        <source>Resource temporarily unavailable</source>
        <translation>im Moment ist nichts mehr frei</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>Ressourcen</translation>
    </message>
    <message>
        <source>Resources of {server}</source>
        <translation>Ressourcen von {server}</translation>
    </message>
    <message>
        <source>Response format</source>
        <translation>Antwortformat</translation>
    </message>
    <message>
        <source>Response format of this chat; click to change</source>
        <translation>Antwortformat dieses Chats; klicken zum Ändern</translation>
    </message>
    <message>
        <source>Response format: {form}</source>
        <translation>Antwortformat: {form}</translation>
    </message>
    <message>
        <source>Response format…</source>
        <translation>Antwortformat…</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>Neu starten</translation>
    </message>
    <message>
        <source>Restart {name}</source>
        <translation>{name} neu starten</translation>
    </message>
    <message>
        <source>Restore backup</source>
        <translation>Sicherung wiederherstellen</translation>
    </message>
    <message>
        <source>Restore backup…</source>
        <translation>Sicherung wiederherstellen…</translation>
    </message>
    <message>
        <source>Restore built-in presets</source>
        <translation>Mitgelieferte Presets wiederherstellen</translation>
    </message>
    <message>
        <source>Restore {chats}</source>
        <translation>{chats} wiederherstellen</translation>
    </message>
    <message>
        <source>Restored when the preset is removed.</source>
        <translation>Wird wiederhergestellt, wenn das Preset entfernt wird.</translation>
    </message>
    <message>
        <source>Restore…</source>
        <translation>Wiederherstellen…</translation>
    </message>
    <message>
        <source>Restoring</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Restoring the backup failed; nothing was changed ({reason}): {path}</source>
        <translation>Wiederherstellen der Sicherung fehlgeschlagen; nichts wurde geändert ({reason}): {path}</translation>
    </message>
    <message>
        <source>Restoring…</source>
        <translation>Wird wiederhergestellt…</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Result of {name}</source>
        <translation>Ergebnis von {name}</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Resume all</source>
        <translation>Alle fortsetzen</translation>
    </message>
    <message>
        <source>Resume indexing</source>
        <translation>Indizierung fortsetzen</translation>
    </message>
    <message>
        <source>Resume {name}</source>
        <translation>{name} fortsetzen</translation>
    </message>
    <message>
        <source>Resume: {subject}</source>
        <translation>Fortsetzen: {subject}</translation>
    </message>
    <message>
        <source>Resumes automatically.</source>
        <translation>Wird automatisch fortgesetzt.</translation>
    </message>
    <message>
        <source>Retry now</source>
        <translation>Jetzt versuchen</translation>
    </message>
    <message>
        <source>Reuse last seed</source>
        <translation>Letzten Seed wiederverwenden</translation>
    </message>
    <message>
        <source>Reuse this seed</source>
        <translation>Diesen Seed wiederverwenden</translation>
    </message>
    <message>
        <source>Reverse order</source>
        <translation>Reihenfolge umkehren</translation>
    </message>
    <message>
        <source>Revert</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Reverts unsaved changes</source>
        <translation>Verwirft nicht gespeicherte Änderungen</translation>
    </message>
    <message>
        <source>Review {name}</source>
        <translation>{name} prüfen</translation>
    </message>
    <message>
        <source>Reviewed</source>
        <translation>Geprüft</translation>
    </message>
    <message>
        <source>Review…</source>
        <translation>Prüfen…</translation>
    </message>
    <message>
        <source>Revoke</source>
        <translation>Widerrufen</translation>
    </message>
    <message>
        <source>Revoke {name}</source>
        <translation>{name} widerrufen</translation>
    </message>
    <message>
        <source>Rewrite</source>
        <translation>Umschreiben</translation>
    </message>
    <message>
        <source>RoPE frequency base</source>
        <translation>RoPE-Basisfrequenz</translation>
    </message>
    <message>
        <source>RoPE frequency scale</source>
        <translation>RoPE-Frequenzskalierung</translation>
    </message>
    <message>
        <source>RoPE scaling</source>
        <translation>RoPE-Skalierung</translation>
    </message>
    <message>
        <source>Roll back</source>
        <translation>Zurückwechseln</translation>
    </message>
    <message>
        <source>Roll back to “{previous}”</source>
        <translation>Zu „{previous}“ zurückwechseln</translation>
    </message>
    <message>
        <source>Rose</source>
        <translation>Rosé</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Ausführen</translation>
    </message>
    <message>
        <source>Run Python code</source>
        <translation>Python-Code ausführen</translation>
    </message>
    <message>
        <source>Run code</source>
        <translation>Code ausführen</translation>
    </message>
    <message>
        <source>Run code, {name}</source>
        <translation>Code ausführen, {name}</translation>
    </message>
    <message>
        <source>Run slowly here</source>
        <translation>Laufen hier langsam</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Running at {address}</source>
        <translation>Läuft unter {address}</translation>
    </message>
    <message>
        <source>Running…</source>
        <translation>Läuft…</translation>
    </message>
    <message>
        <source>Runs fully on {gpu}</source>
        <translation>Läuft ganz auf {gpu}</translation>
    </message>
    <message>
        <source>Runs on the CPU</source>
        <translation>Läuft auf der CPU</translation>
    </message>
    <message>
        <source>Runs on the CPU, as chosen</source>
        <translation>Läuft auf der CPU, wie gewählt</translation>
    </message>
    <message>
        <source>Runs on the CPU; {gpu} are too full</source>
        <translation>Läuft auf der CPU; {gpu} sind zu voll</translation>
    </message>
    <message>
        <source>Runs on the CPU; {gpu} is too full</source>
        <translation>Läuft auf der CPU; {gpu} ist zu voll</translation>
    </message>
    <message>
        <source>Runs on this computer. Nothing you write leaves it unless you allow it.</source>
        <translation>Läuft auf diesem Computer. Nichts, was du schreibst, verlässt ihn, wenn du es nicht erlaubst.</translation>
    </message>
    <message>
        <source>Runs on {gpu}, with the experts of {n} of {n_all} layers on the CPU</source>
        <translation>Läuft auf {gpu}, die Experten von {n} von {n_all} Schichten auf der CPU</translation>
    </message>
    <message>
        <source>Runs on {gpu}, with the experts of {n} of {n_all} layers on the CPU; {gpu} are full</source>
        <translation>Läuft auf {gpu}, die Experten von {n} von {n_all} Schichten auf der CPU; {gpu} sind voll</translation>
    </message>
    <message>
        <source>Runs on {gpu}, with the experts of {n} of {n_all} layers on the CPU; {gpu} is full</source>
        <translation>Läuft auf {gpu}, die Experten von {n} von {n_all} Schichten auf der CPU; {gpu} ist voll</translation>
    </message>
    <message>
        <source>Runtime</source>
        <translation>Runtime</translation>
    </message>
    <message>
        <source>Runtime of Fireside</source>
        <translation>Runtime von Fireside</translation>
    </message>
    <message>
        <source>Runtimes</source>
        <translation>Runtimes</translation>
    </message>
    <message>
        <source>Same GPU as {name}; used once.</source>
        <translation>Dieselbe GPU wie {name}; wird einmal genutzt.</translation>
    </message>
    <message>
        <source>Same as model</source>
        <translation>Wie beim Modell</translation>
    </message>
    <message>
        <source>Same prompt, same settings, same answer</source>
        <translation>Gleicher Prompt, gleiche Einstellungen, gleiche Antwort</translation>
    </message>
    <message>
        <source>Sample rate</source>
        <translation>Abtastrate</translation>
    </message>
    <message>
        <source>Sampler order</source>
        <translation>Reihenfolge der Sampler</translation>
    </message>
    <message>
        <source>Samples from the most likely tokens that together reach this probability. 1 is off.</source>
        <translation>Wählt unter den wahrscheinlichsten Tokens, die zusammen diese Wahrscheinlichkeit erreichen. 1 schaltet es aus.</translation>
    </message>
    <message>
        <source>Samples from this many of the most likely tokens.</source>
        <translation>Wählt unter so vielen der wahrscheinlichsten Tokens.</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>Sampling</translation>
    </message>
    <message>
        <source>Sandboxed, but this system allows no namespaces: it can send UDP, change the permissions of your files, and read memory that your programs share.</source>
        <translation>In einer Sandbox, aber dieses System erlaubt keine Namensräume: Der Server kann UDP senden, die Rechte deiner Dateien ändern und Speicher lesen, den deine Programme teilen.</translation>
    </message>
    <message>
        <source>Sandboxed.</source>
        <translation>In einer Sandbox.</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Save API key</source>
        <translation>API-Schlüssel speichern</translation>
    </message>
    <message>
        <source>Save access token</source>
        <translation>Zugriffstoken speichern</translation>
    </message>
    <message>
        <source>Save answer</source>
        <translation>Antwort speichern</translation>
    </message>
    <message>
        <source>Save artifact as</source>
        <translation>Artefakt speichern unter</translation>
    </message>
    <message>
        <source>Save as</source>
        <translation>Speichern unter</translation>
    </message>
    <message>
        <source>Save as preset…</source>
        <translation>Als Preset speichern…</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Speichern unter…</translation>
    </message>
    <message>
        <source>Save certificate</source>
        <translation>Zertifikat sichern</translation>
    </message>
    <message>
        <source>Save certificate…</source>
        <translation>Zertifikat sichern…</translation>
    </message>
    <message>
        <source>Save code as</source>
        <translation>Code speichern unter</translation>
    </message>
    <message>
        <source>Save code as, {name}</source>
        <translation>Code speichern unter, {name}</translation>
    </message>
    <message>
        <source>Save edit</source>
        <translation>Bearbeitung speichern</translation>
    </message>
    <message>
        <source>Save file as</source>
        <translation>Datei speichern unter</translation>
    </message>
    <message>
        <source>Save for this model</source>
        <translation>Für dieses Modell speichern</translation>
    </message>
    <message>
        <source>Save prompt as</source>
        <translation>Prompt speichern unter</translation>
    </message>
    <message>
        <source>Save settings as preset</source>
        <translation>Einstellungen als Preset speichern</translation>
    </message>
    <message>
        <source>Save to file</source>
        <translation>In Datei speichern</translation>
    </message>
    <message>
        <source>Save version</source>
        <translation>Version speichern</translation>
    </message>
    <message>
        <source>Save without sending</source>
        <translation>Nur speichern</translation>
    </message>
    <message>
        <source>Save {name} as…</source>
        <translation>{name} speichern unter…</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>Gespeichert</translation>
    </message>
    <message>
        <source>Saved as {name}</source>
        <translation>Als {name} gespeichert</translation>
    </message>
    <message>
        <source>Saved as {name}.</source>
        <translation>Gespeichert als {name}.</translation>
    </message>
    <message>
        <source>Saved in a file in Fireside&apos;s data folder, unencrypted and readable by your user account only</source>
        <translation>In einer Datei im Datenordner von Fireside gespeichert, unverschlüsselt und nur für dein Benutzerkonto lesbar</translation>
    </message>
    <message>
        <source>Saved in the system keyring</source>
        <translation>Im Schlüsselbund des Systems gespeichert</translation>
    </message>
    <message>
        <source>Saved to {path}</source>
        <translation>Gesichert unter {path}</translation>
    </message>
    <message>
        <source>Saves these settings without loading</source>
        <translation>Speichert diese Einstellungen, ohne zu laden</translation>
    </message>
    <message>
        <source>Saving the settings to {path} failed: {reason}</source>
        <translation>Speichern der Einstellungen in {path} fehlgeschlagen: {reason}</translation>
    </message>
    <message>
        <source>Saving works again</source>
        <translation>Speichern geht wieder</translation>
    </message>
    <message>
        <source>Say something. A short silence sends it.</source>
        <translation>Sag etwas. Eine kurze Stille schickt es ab.</translation>
    </message>
    <message>
        <source>Schema or grammar</source>
        <translation>Schema oder Grammatik</translation>
    </message>
    <message>
        <source>Scripts other than Python are not run.</source>
        <translation>Skripte außer Python werden nicht ausgeführt.</translation>
    </message>
    <message>
        <source>Scroll together</source>
        <translation>Synchron scrollen</translation>
    </message>
    <message>
        <source>SearXNG address</source>
        <translation>Adresse von SearXNG</translation>
    </message>
    <message>
        <source>Search Hugging Face</source>
        <translation>Hugging Face durchsuchen</translation>
    </message>
    <message>
        <source>Search Hugging Face or paste a URL</source>
        <translation>Hugging Face durchsuchen oder URL einfügen</translation>
    </message>
    <message>
        <source>Search and compare texts</source>
        <translation>Texte suchen und vergleichen</translation>
    </message>
    <message>
        <source>Search chats</source>
        <translation>Chats suchen</translation>
    </message>
    <message>
        <source>Search commands, chats, models, settings</source>
        <translation>Befehle, Chats, Modelle, Einstellungen suchen</translation>
    </message>
    <message>
        <source>Search documents</source>
        <translation>Dokumente durchsuchen</translation>
    </message>
    <message>
        <source>Search facts</source>
        <translation>Angaben durchsuchen</translation>
    </message>
    <message>
        <source>Search failed</source>
        <translation>Suche fehlgeschlagen</translation>
    </message>
    <message>
        <source>Search files</source>
        <translation>Dateien durchsuchen</translation>
    </message>
    <message>
        <source>Search instead</source>
        <translation>Stattdessen durchsuchen</translation>
    </message>
    <message>
        <source>Search is disabled. Your models work as usual.</source>
        <translation>Die Suche ist deaktiviert. Deine Modelle laufen wie gewohnt.</translation>
    </message>
    <message>
        <source>Search metadata</source>
        <translation>Metadaten durchsuchen</translation>
    </message>
    <message>
        <source>Search models</source>
        <translation>Modelle durchsuchen</translation>
    </message>
    <message>
        <source>Search presets</source>
        <translation>Presets durchsuchen</translation>
    </message>
    <message>
        <source>Search provider</source>
        <translation>Suchanbieter</translation>
    </message>
    <message>
        <source>Search resources</source>
        <translation>Ressourcen suchen</translation>
    </message>
    <message>
        <source>Search settings</source>
        <translation>Einstellungen durchsuchen</translation>
    </message>
    <message>
        <source>Search shortcuts</source>
        <translation>Tastenkürzel suchen</translation>
    </message>
    <message>
        <source>Search skills</source>
        <translation>Skills suchen</translation>
    </message>
    <message>
        <source>Search terms, a URL, or a name like owner/model:Q4_K_M. Arrow down moves to the results.</source>
        <translation>Suchbegriffe, eine URL oder ein Name wie besitzer/modell:Q4_K_M. Pfeil nach unten geht zu den Ergebnissen.</translation>
    </message>
    <message>
        <source>Search the chats of this project</source>
        <translation>Chats dieses Projekts durchsuchen</translation>
    </message>
    <message>
        <source>Search the files instead</source>
        <translation>Dateien stattdessen durchsuchen</translation>
    </message>
    <message>
        <source>Search the files instead: then only the passages that a question is about go along.</source>
        <translation>Durchsuche die Dateien stattdessen: Dann gehen nur die Textstellen mit, um die es in einer Frage geht.</translation>
    </message>
    <message>
        <source>Search the text of these files</source>
        <translation>Text dieser Dateien durchsuchen</translation>
    </message>
    <message>
        <source>Search tools</source>
        <translation>Werkzeuge suchen</translation>
    </message>
    <message>
        <source>Search your models</source>
        <translation>Deine Modelle durchsuchen</translation>
    </message>
    <message>
        <source>Searchable</source>
        <translation>Durchsuchbar</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>Wird gesucht…</translation>
    </message>
    <message>
        <source>Seconds after which code in a chat is stopped.</source>
        <translation>Sekunden, nach denen Code in einem Chat gestoppt wird.</translation>
    </message>
    <message>
        <source>Sections</source>
        <translation>Abschnitte</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Seed</translation>
    </message>
    <message>
        <source>Seed {seed}</source>
        <translation>Seed {seed}</translation>
    </message>
    <message>
        <source>Seed {seed} locked for this chat</source>
        <translation>Seed {seed} für diesen Chat festgelegt</translation>
    </message>
    <message>
        <source>Seed {seed}.</source>
        <translation>Seed {seed}.</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alles auswählen</translation>
    </message>
    <message>
        <source>Select all chats</source>
        <translation>Alle Chats auswählen</translation>
    </message>
    <message>
        <source>Selected GPUs are used.</source>
        <translation>Ausgewählte GPUs werden genutzt.</translation>
    </message>
    <message>
        <source>Selected chats</source>
        <translation>Ausgewählte Chats</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>Send (Enter)</source>
        <translation>Senden (Enter)</translation>
    </message>
    <message>
        <source>Send as audio</source>
        <translation>Als Audio senden</translation>
    </message>
    <message>
        <source>Send me the report now, I have been waiting for days.</source>
        <translation>Schick mir jetzt den Bericht, ich warte seit Tagen.</translation>
    </message>
    <message>
        <source>Send now</source>
        <translation>Jetzt senden</translation>
    </message>
    <message>
        <source>Send only the best passages</source>
        <translation>Nur die besten Textstellen senden</translation>
    </message>
    <message>
        <source>Send text during the next step</source>
        <translation>Text während des nächsten Schritts senden</translation>
    </message>
    <message>
        <source>Send these words? You can change them.</source>
        <translation>Diese Worte senden? Du kannst sie ändern.</translation>
    </message>
    <message>
        <source>Send this query to your search provider? You can change it.</source>
        <translation>Diese Anfrage an deinen Suchanbieter senden? Du kannst sie ändern.</translation>
    </message>
    <message>
        <source>Send to {host}</source>
        <translation>An {host} senden</translation>
    </message>
    <message>
        <source>Send to {host} (Enter)</source>
        <translation>An {host} senden (Eingabe)</translation>
    </message>
    <message>
        <source>Send unencrypted within my network</source>
        <translation>In meinem Netz unverschlüsselt senden</translation>
    </message>
    <message>
        <source>Send: {prompt}</source>
        <translation>Senden: {prompt}</translation>
    </message>
    <message>
        <source>Sends after the current answer</source>
        <translation>Wird nach der aktuellen Antwort gesendet</translation>
    </message>
    <message>
        <source>Sends nothing of the chat to servers.</source>
        <translation>Sendet nichts vom Chat an Server.</translation>
    </message>
    <message>
        <source>Sends these errors to the model</source>
        <translation>Sendet diese Fehler an das Modell</translation>
    </message>
    <message>
        <source>Sends what you had models remember to models of servers too. Off, they can suggest facts, but are told none.</source>
        <translation>Sendet, was sich Modelle merken sollten, auch an Modelle von Servern. Ausgeschaltet können sie Angaben vorschlagen, erfahren aber keine.</translation>
    </message>
    <message>
        <source>Sent with this question</source>
        <translation>Mit dieser Frage gesendet</translation>
    </message>
    <message>
        <source>Sep</source>
        <translation>Sept.</translation>
    </message>
    <message>
        <source>September</source>
        <translation>September</translation>
    </message>
    <message>
        <source>Serve other devices</source>
        <translation>Andere Geräte bedienen</translation>
    </message>
    <message>
        <source>Serve other programs</source>
        <translation>Andere Programme bedienen</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Servers whose tools the model may call, or single tools as server__tool, one per line.</source>
        <translation>Server, deren Werkzeuge das Modell aufrufen darf, oder einzelne Werkzeuge als server__werkzeug, je Zeile eines.</translation>
    </message>
    <message>
        <source>Set a passphrase</source>
        <translation>Passphrase setzen</translation>
    </message>
    <message>
        <source>Set a passphrase first; then you can lock your chats.</source>
        <translation>Zuerst eine Passphrase setzen; dann lassen sich die Chats sperren.</translation>
    </message>
    <message>
        <source>Set access token</source>
        <translation>Zugriffstoken festlegen</translation>
    </message>
    <message>
        <source>Set by the environment variable HF_TOKEN</source>
        <translation>Aus der Umgebungsvariablen HF_TOKEN</translation>
    </message>
    <message>
        <source>Set by {environment}</source>
        <translation>Gesetzt durch {environment}</translation>
    </message>
    <message>
        <source>Set on the command line</source>
        <translation>Auf der Befehlszeile gesetzt</translation>
    </message>
    <message>
        <source>Set passphrase…</source>
        <translation>Passphrase setzen…</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Settings before the preset</source>
        <translation>Einstellungen vor dem Preset</translation>
    </message>
    <message>
        <source>Settings for</source>
        <translation>Einstellungen für</translation>
    </message>
    <message>
        <source>Settings from the other app</source>
        <translation>Einstellungen des anderen Programms</translation>
    </message>
    <message>
        <source>Settings have changed since. This is the original prompt, not that of a new answer.</source>
        <translation>Die Einstellungen haben sich seitdem geändert. Das ist der damalige Prompt, nicht der einer neuen Antwort.</translation>
    </message>
    <message>
        <source>Settings of models that were moved may no longer apply to them.</source>
        <translation>Einstellungen verschobener Modelle gelten für diese eventuell nicht mehr.</translation>
    </message>
    <message>
        <source>Settings set by the chat’s preset.</source>
        <translation>Einstellungen, die das Preset des Chats gesetzt hat.</translation>
    </message>
    <message>
        <source>Settings › {group}</source>
        <translation>Einstellungen › {group}</translation>
    </message>
    <message>
        <source>Several models in this repository: choose one.</source>
        <translation>Mehrere Modelle in diesem Repository: Wähle eins.</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>Share</source>
        <comment>a part of the whole</comment>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Shorten the last message.</source>
        <translation>Kürze die letzte Nachricht.</translation>
    </message>
    <message>
        <source>Shorten your message.</source>
        <translation>Kürze deine Nachricht.</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Anzeigen</translation>
    </message>
    <message numerus="yes">
        <source>Show %n more|Show %n more</source>
        <translation>
            <numerusform>%n weitere anzeigen</numerusform>
            <numerusform>%n weitere anzeigen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Show %n passage sent|Show %n passages sent</source>
        <translation>
            <numerusform>%n gesendete Textstelle zeigen</numerusform>
            <numerusform>%n gesendete Textstellen zeigen</numerusform>
        </translation>
    </message>
    <message>
        <source>Show Fireside</source>
        <translation>Fireside anzeigen</translation>
    </message>
    <message>
        <source>Show again</source>
        <translation>Erneut anzeigen</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Alles anzeigen</translation>
    </message>
    <message>
        <source>Show all branches</source>
        <translation>Alle Zweige anzeigen</translation>
    </message>
    <message>
        <source>Show all branches…</source>
        <translation>Alle Zweige anzeigen…</translation>
    </message>
    <message>
        <source>Show all languages</source>
        <translation>Alle Sprachen zeigen</translation>
    </message>
    <message>
        <source>Show as</source>
        <translation>Zeigen als</translation>
    </message>
    <message>
        <source>Show data folder</source>
        <translation>Datenordner anzeigen</translation>
    </message>
    <message>
        <source>Show download of {subject}</source>
        <translation>Download anzeigen: {subject}</translation>
    </message>
    <message>
        <source>Show figures in bytes</source>
        <translation>Zahlen in Byte anzeigen</translation>
    </message>
    <message>
        <source>Show in chat</source>
        <translation>Im Chat zeigen</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>Im Ordner anzeigen</translation>
    </message>
    <message>
        <source>Show in library: {subject}</source>
        <translation>In der Bibliothek anzeigen: {subject}</translation>
    </message>
    <message>
        <source>Show less</source>
        <translation>Weniger anzeigen</translation>
    </message>
    <message>
        <source>Show less of your message</source>
        <translation>Weniger von deiner Nachricht zeigen</translation>
    </message>
    <message>
        <source>Show more</source>
        <translation>Mehr anzeigen</translation>
    </message>
    <message numerus="yes">
        <source>Show more (%n character)|Show more (%n characters)</source>
        <translation>
            <numerusform>Mehr anzeigen (%n Zeichen)</numerusform>
            <numerusform>Mehr anzeigen (%n Zeichen)</numerusform>
        </translation>
    </message>
    <message>
        <source>Show more of your message</source>
        <translation>Mehr von deiner Nachricht zeigen</translation>
    </message>
    <message>
        <source>Show on new-chat screen</source>
        <translation>Auf der Startseite neuer Chats anzeigen</translation>
    </message>
    <message>
        <source>Show pages</source>
        <translation>Seiten anzeigen</translation>
    </message>
    <message>
        <source>Show sidebar</source>
        <translation>Seitenleiste anzeigen</translation>
    </message>
    <message>
        <source>Show text</source>
        <translation>Text anzeigen</translation>
    </message>
    <message>
        <source>Show the rest</source>
        <translation>Rest anzeigen</translation>
    </message>
    <message numerus="yes">
        <source>Show the rest (%n character)|Show the rest (%n characters)</source>
        <translation>
            <numerusform>Rest anzeigen (%n Zeichen)</numerusform>
            <numerusform>Rest anzeigen (%n Zeichen)</numerusform>
        </translation>
    </message>
    <message>
        <source>Show the rest of the answer</source>
        <translation>Rest der Antwort anzeigen</translation>
    </message>
    <message>
        <source>Show this text</source>
        <translation>Diesen Text anzeigen</translation>
    </message>
    <message>
        <source>Show token boundaries</source>
        <translation>Tokengrenzen anzeigen</translation>
    </message>
    <message>
        <source>Show web pages and diagrams of answers beside the chat, without any connection.</source>
        <translation>Zeigt Webseiten und Diagramme aus Antworten neben dem Chat, ohne jede Verbindung.</translation>
    </message>
    <message>
        <source>Show {name} in folder</source>
        <translation>{name} im Ordner anzeigen</translation>
    </message>
    <message>
        <source>Shows a system notification when a long response finishes in the background.</source>
        <translation>Zeigt eine Systembenachrichtigung, wenn eine längere Antwort im Hintergrund fertig wird.</translation>
    </message>
    <message>
        <source>Shows or hides advanced settings of “{group}”</source>
        <translation>Zeigt oder verbirgt erweiterte Einstellungen von „{group}“</translation>
    </message>
    <message>
        <source>Shows or hides arguments and result</source>
        <translation>Zeigt oder verbirgt Argumente und Ergebnis</translation>
    </message>
    <message>
        <source>Shows or hides the model’s thinking</source>
        <translation>Zeigt oder verbirgt das Nachdenken des Modells</translation>
    </message>
    <message>
        <source>Shows text while the GPU already computes what follows. May be slightly faster; no effect without a GPU.</source>
        <translation>Zeigt Text, während die GPU schon den folgenden berechnet. Kann etwas schneller sein; ohne GPU ohne Wirkung.</translation>
    </message>
    <message>
        <source>Shows the load settings</source>
        <translation>Zeigt die Ladeeinstellungen</translation>
    </message>
    <message>
        <source>Shows tokens/s, tokens and TTFT under every answer; otherwise only where the pointer or the keyboard is.</source>
        <translation>Zeigt Tokens/s, Tokens und TTFT unter jeder Antwort; sonst nur dort, wo Mauszeiger oder Tastaturfokus ist.</translation>
    </message>
    <message>
        <source>Sign in</source>
        <translation>Anmelden</translation>
    </message>
    <message>
        <source>Sign in to {name}</source>
        <translation>Bei {name} anmelden</translation>
    </message>
    <message>
        <source>Sign out</source>
        <translation>Abmelden</translation>
    </message>
    <message>
        <source>Sign out of {name}</source>
        <translation>Von {name} abmelden</translation>
    </message>
    <message>
        <source>Single GPU</source>
        <translation>Einzelne GPU</translation>
    </message>
    <message>
        <source>Single chats</source>
        <translation>Einzelne Chats</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Skill</source>
        <translation>Skill</translation>
    </message>
    <message>
        <source>Skill: {name}</source>
        <translation>Skill: {name}</translation>
    </message>
    <message>
        <source>Skills</source>
        <translation>Skills</translation>
    </message>
    <message>
        <source>Skills (*.zip *.skill SKILL.md)</source>
        <translation>Skills (*.zip *.skill SKILL.md)</translation>
    </message>
    <message>
        <source>Skills are folders of instructions and files that a model reads when a request needs them. They are found where other programs keep theirs, and are off until you review them and turn them on: here for all chats, with the wrench below a chat for that chat, or with / for one message.</source>
        <translation>Skills sind Ordner mit Anweisungen und Dateien, die ein Modell liest, wenn eine Anfrage sie braucht. Sie werden dort gefunden, wo andere Programme ihre haben, und sind aus, bis du sie prüfst und einschaltest: hier für alle Chats, mit dem Schraubenschlüssel unter einem Chat für diesen oder mit / für eine Nachricht.</translation>
    </message>
    <message>
        <source>Skills that the model may use, by name, one per line. Only those that you reviewed count.</source>
        <translation>Skills, die das Modell verwenden darf, einer pro Zeile. Nur die von dir geprüften zählen.</translation>
    </message>
    <message>
        <source>Skills…</source>
        <translation>Skills…</translation>
    </message>
    <message>
        <source>Skipped: {files}</source>
        <translation>Übersprungen: {files}</translation>
    </message>
    <message>
        <source>Slides</source>
        <translation>Folien</translation>
    </message>
    <message>
        <source>Slow (about {speed} tokens/s)</source>
        <translation>Langsam (etwa {speed} Tokens/s)</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>Kleinerer Text</translation>
    </message>
    <message>
        <source>Snippet</source>
        <translation>Textbaustein</translation>
    </message>
    <message>
        <source>Some old files could not be removed: {names}.</source>
        <translation>Einige alte Dateien konnten nicht entfernt werden: {names}.</translation>
    </message>
    <message>
        <source>Sort by</source>
        <translation>Sortieren nach</translation>
    </message>
    <message>
        <source>Sound output</source>
        <translation>Tonausgabe</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelltext</translation>
    </message>
    <message>
        <source>Source checkout</source>
        <translation>Quelltext-Checkout</translation>
    </message>
    <message>
        <source>Source {number}: {place}</source>
        <translation>Quelle {number}: {place}</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>Quellen</translation>
    </message>
    <message>
        <source>Sources · everything read</source>
        <translation>Quellen · alles gelesen</translation>
    </message>
    <message>
        <source>Spacing between lines and around buttons.</source>
        <translation>Abstand zwischen Zeilen und um Schaltflächen.</translation>
    </message>
    <message>
        <source>Speak to interrupt.</source>
        <translation>Sprich, um zu unterbrechen.</translation>
    </message>
    <message>
        <source>Speaker</source>
        <translation>Sprecher</translation>
    </message>
    <message>
        <source>Speaking</source>
        <translation>Spricht</translation>
    </message>
    <message>
        <source>Speaking speed</source>
        <translation>Sprechtempo</translation>
    </message>
    <message>
        <source>Speculative decoding</source>
        <translation>Spekulatives Decoding</translation>
    </message>
    <message>
        <source>Speculative decoding from context</source>
        <translation>Spekulatives Decoding aus dem Kontext</translation>
    </message>
    <message>
        <source>Speculative decoding with a draft model</source>
        <translation>Spekulatives Decoding mit Entwurfsmodell</translation>
    </message>
    <message numerus="yes">
        <source>Speculative decoding: {right} of %n draft token accepted.|Speculative decoding: {right} of %n draft tokens accepted.</source>
        <translation>
            <numerusform>Spekulatives Decoding: {right} von %n vorgeschlagenem Token übernommen.</numerusform>
            <numerusform>Spekulatives Decoding: {right} von %n vorgeschlagenen Tokens übernommen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Speech</source>
        <translation>Sprechen und Hören</translation>
    </message>
    <message>
        <source>Speech component</source>
        <translation>Sprachkomponente</translation>
    </message>
    <message>
        <source>Speech failed: {reason}</source>
        <translation>Sprache fehlgeschlagen: {reason}</translation>
    </message>
    <message>
        <source>Speech is understood and spoken on this computer alone; no sound leaves it.</source>
        <translation>Sprache wird nur auf diesem Computer verstanden und gesprochen; kein Ton verlässt ihn.</translation>
    </message>
    <message>
        <source>Speech models</source>
        <translation>Modelle für Sprechen und Hören</translation>
    </message>
    <message>
        <source>Speech models and devices</source>
        <translation>Modelle und Geräte zum Sprechen und Hören</translation>
    </message>
    <message>
        <source>Speech models…</source>
        <translation>Modelle für Sprechen und Hören…</translation>
    </message>
    <message numerus="yes">
        <source>Speech needs a download|Speech needs %n downloads</source>
        <translation>
            <numerusform>Sprache braucht einen Download</numerusform>
            <numerusform>Sprache braucht %n Downloads</numerusform>
        </translation>
    </message>
    <message>
        <source>Speech recognition</source>
        <translation>Spracherkennung</translation>
    </message>
    <message>
        <source>Speech stopped unexpectedly. Try again; what was recorded is kept.</source>
        <translation>Die Sprachausgabe oder -erkennung wurde unerwartet beendet. Versuch es noch einmal; die Aufnahme bleibt erhalten.</translation>
    </message>
    <message>
        <source>Speeds</source>
        <translation>Geschwindigkeiten</translation>
    </message>
    <message>
        <source>Speeds in tokens/s. Perplexity on a sample text: lower is better; compares quantizations of one model. Bits per byte compares any models.</source>
        <translation>Geschwindigkeiten in Tokens/s. Perplexität auf einem Beispieltext: weniger ist besser; vergleicht Quantisierungen eines Modells. Bits pro Byte vergleicht beliebige Modelle.</translation>
    </message>
    <message>
        <source>Speeds up long contexts and saves memory. Auto uses it where it helps.</source>
        <translation>Beschleunigt lange Kontexte und spart Speicher. „Auto“ nutzt es, wo es hilft.</translation>
    </message>
    <message>
        <source>Split by layer</source>
        <translation>Nach Schichten aufteilen</translation>
    </message>
    <message>
        <source>Split by row</source>
        <translation>Nach Zeilen aufteilen</translation>
    </message>
    <message>
        <source>Spoken language</source>
        <translation>Gesprochene Sprache</translation>
    </message>
    <message>
        <source>Stale file handle</source>
        <translation>das Netzlaufwerk ist nicht mehr da</translation>
    </message>
    <message>
        <source>Stalled</source>
        <translation>Stockt</translation>
    </message>
    <message>
        <source>Start the downloads again: they resume where they were.</source>
        <translation>Starte die Downloads erneut: Sie werden fortgesetzt, wo sie waren.</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Wird gestartet…</translation>
    </message>
    <message>
        <source>Starts in</source>
        <translation>Startet in</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Steers the response’s surprise directly, in place of Top K, Top P and similar samplers.</source>
        <translation>Steuert direkt, wie überraschend die Antwort ist, anstelle von Top K, Top P und ähnlichen Samplern.</translation>
    </message>
    <message>
        <source>Still being copied.</source>
        <translation>Wird noch kopiert.</translation>
    </message>
    <message>
        <source>Still reading a file</source>
        <translation>Eine Datei wird noch gelesen</translation>
    </message>
    <message>
        <source>Still transcribing a recording</source>
        <translation>Eine Aufnahme wird noch transkribiert</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <source>Stop (Esc)</source>
        <translation>Stoppen (Esc)</translation>
    </message>
    <message>
        <source>Stop dictating</source>
        <translation>Diktat beenden</translation>
    </message>
    <message>
        <source>Stop looking</source>
        <translation>Suche beenden</translation>
    </message>
    <message>
        <source>Stop reading aloud</source>
        <translation>Vorlesen beenden</translation>
    </message>
    <message>
        <source>Stop repetition loops</source>
        <translation>Wiederholungsschleifen beenden</translation>
    </message>
    <message>
        <source>Stop response</source>
        <translation>Antwort beenden</translation>
    </message>
    <message>
        <source>Stop sequences</source>
        <translation>Stoppsequenzen</translation>
    </message>
    <message>
        <source>Stop transcribing</source>
        <translation>Transkribieren abbrechen</translation>
    </message>
    <message>
        <source>Stop {name}</source>
        <translation>{name} stoppen</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Gestoppt</translation>
    </message>
    <message>
        <source>Stopped: context full</source>
        <translation>Gestoppt: Kontext voll</translation>
    </message>
    <message>
        <source>Stopped: repetition loop</source>
        <translation>Gestoppt: Wiederholungsschleife</translation>
    </message>
    <message>
        <source>Stopped: token limit</source>
        <translation>Gestoppt: Tokenlimit</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Wird angehalten…</translation>
    </message>
    <message>
        <source>Stopping… finishing the current image or file first</source>
        <translation>Wird gestoppt… das aktuelle Bild oder die Datei wird noch fertig verarbeitet</translation>
    </message>
    <message>
        <source>Stops a load that makes no progress for this long.</source>
        <translation>Bricht einen Ladevorgang ab, der so lange keinen Fortschritt macht.</translation>
    </message>
    <message>
        <source>Stops a response that gets stuck in a loop.</source>
        <translation>Beendet eine Antwort, die in einer Schleife hängt.</translation>
    </message>
    <message>
        <source>Stored nowhere, gone once it is closed</source>
        <translation>Nirgends gespeichert und weg, sobald er geschlossen wird</translation>
    </message>
    <message>
        <source>Stores this temporary chat among the others</source>
        <translation>Speichert diesen temporären Chat bei den anderen</translation>
    </message>
    <message>
        <source>Strong answers in every field, for a computer with a good GPU.</source>
        <translation>Starke Antworten auf jedem Gebiet, für einen Computer mit guter GPU.</translation>
    </message>
    <message>
        <source>Strong.</source>
        <translation>Stark.</translation>
    </message>
    <message>
        <source>Stronger text, borders and keyboard focus.</source>
        <translation>Kräftigere Texte, Ränder und Tastaturfokus.</translation>
    </message>
    <message>
        <source>Such as “de” or “en”. Empty to have it recognised, where the model can.</source>
        <translation>Zum Beispiel „de“ oder „en“. Leer, um sie erkennen zu lassen, wo das Modell es kann.</translation>
    </message>
    <message>
        <source>Such as “http://proxy:8080”. Empty for the system’s proxy.</source>
        <translation>Zum Beispiel „http://proxy:8080“. Leer für den Proxy des Systems.</translation>
    </message>
    <message>
        <source>Suggested</source>
        <translation>Vorgeschlagen</translation>
    </message>
    <message>
        <source>Suits your GPU</source>
        <translation>Passt zu deiner GPU</translation>
    </message>
    <message>
        <source>Summarise</source>
        <translation>Zusammenfassen</translation>
    </message>
    <message>
        <source>Summarise oldest messages</source>
        <translation>Älteste Nachrichten zusammenfassen</translation>
    </message>
    <message numerus="yes">
        <source>Summarised in context: the message above|Summarised in context: the %n messages above</source>
        <translation>
            <numerusform>Im Kontext zusammengefasst: die Nachricht darüber</numerusform>
            <numerusform>Im Kontext zusammengefasst: die %n Nachrichten darüber</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Summarising %n earlier message… {percent}%|Summarising %n earlier messages… {percent}%</source>
        <translation>
            <numerusform>%n frühere Nachricht wird zusammengefasst… {percent} %</numerusform>
            <numerusform>%n frühere Nachrichten werden zusammengefasst… {percent} %</numerusform>
        </translation>
    </message>
    <message>
        <source>Summarising failed: {reason}</source>
        <translation>Zusammenfassen fehlgeschlagen: {reason}</translation>
    </message>
    <message>
        <source>Summary of earlier messages</source>
        <translation>Zusammenfassung früherer Nachrichten</translation>
    </message>
    <message numerus="yes">
        <source>Summary of the first message, edited by you|Summary of %n earlier messages, edited by you</source>
        <translation>
            <numerusform>Zusammenfassung der ersten Nachricht, von dir bearbeitet</numerusform>
            <numerusform>Zusammenfassung von %n früheren Nachrichten, von dir bearbeitet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Summary of the first message|Summary of %n earlier messages</source>
        <translation>
            <numerusform>Zusammenfassung der ersten Nachricht</numerusform>
            <numerusform>Zusammenfassung von %n früheren Nachrichten</numerusform>
        </translation>
    </message>
    <message>
        <source>Supports audio.</source>
        <translation>Unterstützt Audio.</translation>
    </message>
    <message>
        <source>Supports images.</source>
        <translation>Unterstützt Bilder.</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>System default</source>
        <translation>Systemstandard</translation>
    </message>
    <message>
        <source>System package</source>
        <translation>Systempaket</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>Systemprompt</translation>
    </message>
    <message>
        <source>System prompt and template</source>
        <translation>Systemprompt und Vorlage</translation>
    </message>
    <message>
        <source>System prompt of this chat; click to change</source>
        <translation>Systemprompt dieses Chats; klicken zum Ändern</translation>
    </message>
    <message>
        <source>System prompt…</source>
        <translation>Systemprompt…</translation>
    </message>
    <message>
        <source>System: {name}</source>
        <translation>System: {name}</translation>
    </message>
    <message>
        <source>TTFT</source>
        <translation>TTFT</translation>
    </message>
    <message>
        <source>TTFT {seconds} s</source>
        <translation>TTFT {seconds} s</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Table {number}</source>
        <translation>Tabelle {number}</translation>
    </message>
    <message>
        <source>Tag</source>
        <translation>Tag</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>Tags</translation>
    </message>
    <message>
        <source>Takes under 2 minutes</source>
        <translation>Dauert unter 2 Minuten</translation>
    </message>
    <message>
        <source>Talk</source>
        <translation>Sprechen</translation>
    </message>
    <message>
        <source>Target surprise (tau) of Mirostat; lower is more focused.</source>
        <translation>Zielwert (Tau) von Mirostat; niedriger ist fokussierter.</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>Aufgabe</translation>
    </message>
    <message>
        <source>Teal</source>
        <translation>Petrol</translation>
    </message>
    <message>
        <source>Tells the model the current date and time.</source>
        <translation>Nennt dem Modell Datum und Uhrzeit.</translation>
    </message>
    <message>
        <source>Tells the model what you had it remember, and lets it suggest more. You confirm each suggestion.</source>
        <translation>Das Modell erfährt, was es sich merken sollte, und darf mehr vorschlagen. Du bestätigst jeden Vorschlag.</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>Template</source>
        <translation>Vorlage</translation>
    </message>
    <message>
        <source>Template arguments</source>
        <translation>Argumente der Vorlage</translation>
    </message>
    <message>
        <source>Temporary</source>
        <translation>Temporär</translation>
    </message>
    <message>
        <source>Temporary chat</source>
        <translation>Temporärer Chat</translation>
    </message>
    <message>
        <source>Temporary session: chats are not saved.</source>
        <translation>Temporäre Sitzung: Chats werden nicht gespeichert.</translation>
    </message>
    <message>
        <source>Temporary session: nothing to back up.</source>
        <translation>Temporäre Sitzung: nichts zu sichern.</translation>
    </message>
    <message>
        <source>Tensor overrides</source>
        <translation>Tensor-Zuordnung</translation>
    </message>
    <message>
        <source>Tensor parallel</source>
        <translation>Tensorparallel</translation>
    </message>
    <message>
        <source>Tensor split</source>
        <translation>Aufteilung je GPU</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>Tensoren</translation>
    </message>
    <message>
        <source>Tensors by type</source>
        <translation>Tensoren nach Typ</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>Testen</translation>
    </message>
    <message>
        <source>Test connection</source>
        <translation>Verbindung testen</translation>
    </message>
    <message>
        <source>Test failed: {reason}</source>
        <translation>Test fehlgeschlagen: {reason}</translation>
    </message>
    <message>
        <source>Test {name}</source>
        <translation>{name} testen</translation>
    </message>
    <message>
        <source>Tested</source>
        <translation>Getestet</translation>
    </message>
    <message>
        <source>Tested on {devices}.</source>
        <translation>Getestet auf {devices}.</translation>
    </message>
    <message>
        <source>Tested on {devices}: {speed} tokens/s with the starter model.</source>
        <translation>Getestet auf {devices}: {speed} Tokens/s mit dem Startmodell.</translation>
    </message>
    <message>
        <source>Testing the new version…</source>
        <translation>Die neue Version wird getestet…</translation>
    </message>
    <message>
        <source>Testing “{name}” with the starter model. This may take a minute…</source>
        <translation>„{name}“ wird mit dem Startmodell getestet. Das kann eine Minute dauern…</translation>
    </message>
    <message>
        <source>Testing “{name}”…</source>
        <translation>„{name}“ wird getestet…</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Text by others from: {names}.</source>
        <translation>Fremder Text aus: {names}.</translation>
    </message>
    <message>
        <source>Text by others in this chat may have suggested it.</source>
        <translation>Fremder Text in diesem Chat kann dazu geführt haben.</translation>
    </message>
    <message>
        <source>Text file busy</source>
        <translation>das Programm läuft gerade</translation>
    </message>
    <message>
        <source>Text of {name}</source>
        <translation>Text von {name}</translation>
    </message>
    <message>
        <source>Text sent to the model</source>
        <translation>An das Modell gesendeter Text</translation>
    </message>
    <message numerus="yes">
        <source>Text sent to the model, %n character (first {shown} shown)|Text sent to the model, %n characters (first {shown} shown)</source>
        <translation>
            <numerusform>An das Modell gesendeter Text, %n Zeichen (die ersten {shown} angezeigt)</numerusform>
            <numerusform>An das Modell gesendeter Text, %n Zeichen (die ersten {shown} angezeigt)</numerusform>
        </translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>Textgröße</translation>
    </message>
    <message numerus="yes">
        <source>Text too long: %n character, the limit is {most}. It is still on your clipboard.|Text too long: %n characters, the limit is {most}. It is still on your clipboard.</source>
        <translation>
            <numerusform>Text zu lang: %n Zeichen, erlaubt sind {most}. Er ist noch in der Zwischenablage.</numerusform>
            <numerusform>Text zu lang: %n Zeichen, erlaubt sind {most}. Er ist noch in der Zwischenablage.</numerusform>
        </translation>
    </message>
    <message>
        <source>Texts that break up a repetition, one per line; \n is a line break, \\ a backslash.</source>
        <translation>Texte, die eine Wiederholung unterbrechen, einer pro Zeile; \n ist ein Zeilenumbruch, \\ ein Backslash.</translation>
    </message>
    <message>
        <source>That is much: the model is shown the first ones and searches for the rest.</source>
        <translation>Das ist viel: Das Modell sieht die ersten und sucht nach den übrigen.</translation>
    </message>
    <message>
        <source>That of the system</source>
        <translation>Wie im System</translation>
    </message>
    <message>
        <source>The Fireside that ran the model was closed. Your chat is safe. Try again to load the model here.</source>
        <translation>Das Fireside, in dem das Modell lief, wurde geschlossen. Dein Chat ist sicher. Versuche es erneut, um das Modell hier zu laden.</translation>
    </message>
    <message>
        <source>The GPU stopped responding, so this model runs on the CPU for now. Reload it to use the GPU.</source>
        <translation>Die GPU antwortet nicht mehr; dieses Modell läuft vorerst auf der CPU. Lade es neu, um die GPU zu nutzen.</translation>
    </message>
    <message>
        <source>The GPU used alone, or for what cannot be split; empty for the first.</source>
        <translation>Die GPU, die allein genutzt wird oder übernimmt, was sich nicht teilen lässt; leer für die erste.</translation>
    </message>
    <message>
        <source>The MCP server cannot be added: {reason}</source>
        <translation>Der MCP-Server kann nicht hinzugefügt werden: {reason}</translation>
    </message>
    <message>
        <source>The MCP server {name} answered with an error: {reason}</source>
        <translation>Der MCP-Server {name} hat mit einem Fehler geantwortet: {reason}</translation>
    </message>
    <message>
        <source>The MCP server {name} does not run: {reason}{log}</source>
        <translation>Der MCP-Server {name} läuft nicht: {reason}{log}</translation>
    </message>
    <message>
        <source>The MCP server {name} is not what you confirmed: its command, program or access has changed. Review it in Tools.</source>
        <translation>Der MCP-Server {name} ist nicht der, den du bestätigt hast: Befehl, Programm oder Zugriff haben sich geändert. Prüfe ihn unter Werkzeuge.</translation>
    </message>
    <message>
        <source>The MCP servers in it must be added again.</source>
        <translation>Die MCP-Server darin müssen neu hinzugefügt werden.</translation>
    </message>
    <message>
        <source>The NVIDIA driver is installed but not running. Restarting the computer may help.</source>
        <translation>Der NVIDIA-Treiber ist installiert, läuft aber nicht. Ein Neustart des Computers kann helfen.</translation>
    </message>
    <message>
        <source>The NVIDIA driver was updated while it was running. Restart the computer.</source>
        <translation>Der NVIDIA-Treiber wurde im Betrieb aktualisiert. Starte den Computer neu.</translation>
    </message>
    <message>
        <source>The access token of this device was revoked. Pair it again.</source>
        <translation>Das Zugriffstoken dieses Geräts wurde widerrufen. Das Gerät erneut koppeln.</translation>
    </message>
    <message>
        <source>The access tokens and keys in it must be entered again.</source>
        <translation>Die Zugriffstokens und Schlüssel darin müssen neu eingegeben werden.</translation>
    </message>
    <message>
        <source>The answer from {host} ended early: {reason} The partial answer was saved.</source>
        <translation>Die Antwort von {host} endete vorzeitig: {reason} Die unvollständige Antwort wurde gespeichert.</translation>
    </message>
    <message>
        <source>The audio is not played: {reason}</source>
        <translation>Das Audio wird nicht abgespielt: {reason}</translation>
    </message>
    <message>
        <source>The chart cannot be drawn: {reason}</source>
        <translation>Die Grafik kann nicht gezeichnet werden: {reason}</translation>
    </message>
    <message>
        <source>The chat database could not be upgraded for this version ({reason}). Nothing in it was changed; the previous version of Fireside still opens it: {path}</source>
        <translation>Die Chat-Datenbank konnte nicht für diese Version aktualisiert werden ({reason}). Nichts darin wurde geändert; die vorige Fireside-Version öffnet sie weiterhin: {path}</translation>
    </message>
    <message>
        <source>The chat database is damaged ({reason}). It was left untouched: {path}</source>
        <translation>Die Chat-Datenbank ist beschädigt ({reason}). Sie wurde nicht verändert: {path}</translation>
    </message>
    <message>
        <source>The chat keeps its model.</source>
        <translation>Der Chat behält sein Modell.</translation>
    </message>
    <message>
        <source>The chats of this project are answered from these. Drop files or folders anywhere here.</source>
        <translation>Aus ihnen werden die Chats dieses Projekts beantwortet. Dateien und Ordner lassen sich überall hier ablegen.</translation>
    </message>
    <message>
        <source>The chat’s preset; empty for none.</source>
        <translation>Das Preset des Chats; leer für keines.</translation>
    </message>
    <message>
        <source>The checksum of {name} does not match, so the download was deleted. Try again.</source>
        <translation>Die Prüfsumme von {name} stimmt nicht, deshalb wurde der Download gelöscht. Versuch es noch einmal.</translation>
    </message>
    <message>
        <source>The checksum of {name} does not match, so the download was discarded. Try again.</source>
        <translation>Die Prüfsumme von {name} stimmt nicht, der Download wurde verworfen. Versuche es erneut.</translation>
    </message>
    <message>
        <source>The code and the lines hold this device’s token: show them to nobody else. They are not shown again.</source>
        <translation>Code und Zeilen enthalten das Token dieses Geräts: niemand anderem zeigen. Sie werden nicht noch einmal angezeigt.</translation>
    </message>
    <message>
        <source>The collections of documents that questions are answered from.</source>
        <translation>Die Dokumentsammlungen, aus denen Fragen beantwortet werden.</translation>
    </message>
    <message>
        <source>The connection is not encrypted: others on the network can read the token.</source>
        <translation>Die Verbindung ist nicht verschlüsselt: Andere im Netzwerk können das Token lesen.</translation>
    </message>
    <message>
        <source>The content filter of {host} ended the answer. Rephrase the question or try another model.</source>
        <translation>Der Inhaltsfilter von {host} hat die Antwort beendet. Formuliere die Frage um oder nimm ein anderes Modell.</translation>
    </message>
    <message>
        <source>The context is {percent}% full.</source>
        <translation>Der Kontext ist zu {percent} % voll.</translation>
    </message>
    <message>
        <source>The context length is {now} tokens now; it was {then} for this answer.</source>
        <translation>Die Kontextlänge beträgt jetzt {now} Tokens; bei dieser Antwort waren es {then}.</translation>
    </message>
    <message>
        <source>The current llama.cpp build is unknown.</source>
        <translation>Der aktuelle llama.cpp-Build ist unbekannt.</translation>
    </message>
    <message>
        <source>The difference cannot be shown.</source>
        <translation>Der Unterschied lässt sich nicht anzeigen.</translation>
    </message>
    <message>
        <source>The disk is full.</source>
        <translation>Der Datenträger ist voll.</translation>
    </message>
    <message>
        <source>The disk is full. Chats are kept in memory and saved when there is space.</source>
        <translation>Der Datenträger ist voll. Chats bleiben im Arbeitsspeicher und werden gespeichert, sobald Platz ist.</translation>
    </message>
    <message>
        <source>The disk is full. Resumes when there is space.</source>
        <translation>Der Datenträger ist voll. Wird fortgesetzt, sobald Platz ist.</translation>
    </message>
    <message>
        <source>The disk reported an error.</source>
        <translation>Der Datenträger meldete einen Fehler.</translation>
    </message>
    <message>
        <source>The display “{display}” does not respond.</source>
        <translation>Die Anzeige „{display}“ antwortet nicht.</translation>
    </message>
    <message>
        <source>The draft was changed in another window. The latest version is kept.</source>
        <translation>Der Entwurf wurde in einem anderen Fenster geändert. Die neueste Fassung bleibt.</translation>
    </message>
    <message>
        <source>The embedding model’s file has changed; passages are being embedded again.</source>
        <translation>Die Datei des Embedding-Modells hat sich geändert; Textstellen werden neu eingebettet.</translation>
    </message>
    <message>
        <source>The facts of this place have {number} characters at most. Delete or shorten some.</source>
        <translation>Die Angaben dieses Orts haben höchstens {number} Zeichen. Lösche oder kürze welche.</translation>
    </message>
    <message>
        <source>The faster result was not confirmed by a second run; settings stay unchanged.</source>
        <translation>Das schnellere Ergebnis bestätigte sich beim zweiten Lauf nicht; die Einstellungen bleiben unverändert.</translation>
    </message>
    <message>
        <source>The file has changed since its download and cannot be used. “Repair” downloads only what is damaged.</source>
        <translation>Die Datei hat sich seit dem Download verändert und ist unbrauchbar. „Reparieren“ lädt nur das Beschädigte neu.</translation>
    </message>
    <message>
        <source>The file has changed since its download. “Verify file” compares it with the original.</source>
        <translation>Die Datei hat sich seit dem Download verändert. „Datei prüfen“ vergleicht sie mit dem Original.</translation>
    </message>
    <message>
        <source>The file has no chat template; the one of {fallback} is used.</source>
        <translation>Die Datei hat keine Chatvorlage; die von {fallback} wird verwendet.</translation>
    </message>
    <message>
        <source>The file has no template; a common one is used.</source>
        <translation>Die Datei hat keine Vorlage; eine gängige wird verwendet.</translation>
    </message>
    <message>
        <source>The file on Hugging Face has changed; the download restarts.</source>
        <translation>Die Datei auf Hugging Face hat sich geändert; der Download beginnt neu.</translation>
    </message>
    <message>
        <source>The file or its folder cannot be opened.</source>
        <translation>Die Datei oder ihr Ordner lässt sich nicht öffnen.</translation>
    </message>
    <message>
        <source>The file or its folder is read-only.</source>
        <translation>Die Datei oder ihr Ordner ist schreibgeschützt.</translation>
    </message>
    <message>
        <source>The file says this about itself. Nothing in it has run.</source>
        <translation>Das sagt die Datei über sich selbst. Nichts daraus wurde ausgeführt.</translation>
    </message>
    <message>
        <source>The file that this link points to is not there.</source>
        <translation>Die Datei, auf die dieser Verweis zeigt, ist nicht da.</translation>
    </message>
    <message>
        <source>The file was changed. This is the text as it was read.</source>
        <translation>Die Datei wurde geändert. Das ist der Text, wie er gelesen wurde.</translation>
    </message>
    <message>
        <source>The file was moved or deleted while Fireside was running.</source>
        <translation>Die Datei wurde verschoben oder gelöscht, während Fireside lief.</translation>
    </message>
    <message>
        <source>The file was moved or deleted. This is the text as it was read.</source>
        <translation>Die Datei wurde verschoben oder gelöscht. Das ist der Text, wie er gelesen wurde.</translation>
    </message>
    <message>
        <source>The files have unclear names, so their fit is unknown.</source>
        <translation>Die Dateinamen sind unklar, daher ist unbekannt, was passt.</translation>
    </message>
    <message>
        <source>The files of the project’s collections, as they are now</source>
        <translation>Die Dateien der Sammlungen des Projekts, wie sie jetzt sind</translation>
    </message>
    <message>
        <source>The first answer comes sooner; loading can be cancelled.</source>
        <translation>Die erste Antwort kommt früher; das Laden lässt sich abbrechen.</translation>
    </message>
    <message numerus="yes">
        <source>The folder {folder} and its model are removed from the list. The files stay.|The folder {folder} and its %n models are removed from the list. The files stay.</source>
        <translation>
            <numerusform>Der Ordner {folder} und sein Modell werden aus der Liste entfernt. Die Dateien bleiben.</numerusform>
            <numerusform>Der Ordner {folder} und seine %n Modelle werden aus der Liste entfernt. Die Dateien bleiben.</numerusform>
        </translation>
    </message>
    <message>
        <source>The folder {path} does not exist.</source>
        <translation>Den Ordner {path} gibt es nicht.</translation>
    </message>
    <message>
        <source>The gist of a text or a file</source>
        <translation>Der Kern eines Textes oder einer Datei</translation>
    </message>
    <message>
        <source>The image cannot be shown: {reason}</source>
        <translation>Das Bild kann nicht gezeigt werden: {reason}</translation>
    </message>
    <message>
        <source>The instructions of the project “{name}” follow the system prompt, in the same message.</source>
        <translation>Die Anweisungen des Projekts „{name}“ folgen dem Systemprompt, in derselben Nachricht.</translation>
    </message>
    <message>
        <source>The interpreter that runs code in chats, such as one with your own packages. Empty: Fireside&apos;s own, with the data packages if they are downloaded.</source>
        <translation>Der Interpreter, der Code in Chats ausführt, etwa einer mit deinen eigenen Paketen. Leer: der von Fireside selbst, mit den Datenpaketen, wenn sie heruntergeladen sind.</translation>
    </message>
    <message>
        <source>The key file cannot be read ({reason}), and without it nobody can read your chats. Put a copy of it back: {path}</source>
        <translation>Die Schlüsseldatei ist nicht lesbar ({reason}), und ohne sie kann niemand die Chats lesen. Eine Kopie davon zurücklegen: {path}</translation>
    </message>
    <message>
        <source>The last answer ran at {pace} tokens/s instead of {usual}. Other programs may need memory or CPU; reloading with less memory helps.</source>
        <translation>Die letzte Antwort lief mit {pace} statt {usual} Tokens/s. Andere Programme brauchen vielleicht Speicher oder CPU; neu laden mit weniger Speicher hilft.</translation>
    </message>
    <message>
        <source>The last valid ones were restored</source>
        <translation>Die letzten gültigen wurden wiederhergestellt</translation>
    </message>
    <message>
        <source>The layers they apply to, such as 10-20; empty for all.</source>
        <translation>Die Schichten, auf die sie wirken, etwa 10-20; leer für alle.</translation>
    </message>
    <message>
        <source>The library folder {folder} was not found. Connect its drive, or choose another folder in the settings.</source>
        <translation>Der Bibliotheksordner {folder} wurde nicht gefunden. Schließe das Laufwerk an oder wähle in den Einstellungen einen anderen Ordner.</translation>
    </message>
    <message>
        <source>The list of chats</source>
        <translation>Die Liste der Chats</translation>
    </message>
    <message>
        <source>The list of models</source>
        <translation>Die Liste der Modelle</translation>
    </message>
    <message>
        <source>The list of recommended models cannot be read: {reason} Reinstall Fireside.</source>
        <translation>Die Liste empfohlener Modelle ist nicht lesbar: {reason} Installiere Fireside neu.</translation>
    </message>
    <message>
        <source>The llama.cpp build that runs the model. Manage runtimes on the Hardware page.</source>
        <translation>Der llama.cpp-Build, der das Modell ausführt. Runtimes verwaltest du auf der Seite „Hardware“.</translation>
    </message>
    <message>
        <source>The local API did not start: {reason}</source>
        <translation>Die lokale API konnte nicht gestartet werden: {reason}</translation>
    </message>
    <message numerus="yes">
        <source>The message above will be summarised before the next answer|The %n messages above will be summarised before the next answer</source>
        <translation>
            <numerusform>Die Nachricht darüber wird vor der nächsten Antwort zusammengefasst</numerusform>
            <numerusform>Die %n Nachrichten darüber werden vor der nächsten Antwort zusammengefasst</numerusform>
        </translation>
    </message>
    <message>
        <source>The microphone was closed.</source>
        <translation>Das Mikrofon wurde geschlossen.</translation>
    </message>
    <message>
        <source>The model</source>
        <translation>Das Modell</translation>
    </message>
    <message>
        <source>The model architecture “{kind}” is not supported by the current llama.cpp. Add a newer runtime on the Hardware page, or choose another model.</source>
        <translation>Die Modellarchitektur „{kind}“ wird vom aktuellen llama.cpp nicht unterstützt. Füge auf der Seite „Hardware“ eine neuere Runtime hinzu oder wähle ein anderes Modell.</translation>
    </message>
    <message>
        <source>The model continues until the token limit or the end of the context.</source>
        <translation>Das Modell schreibt bis zum Tokenlimit oder bis zum Ende des Kontexts weiter.</translation>
    </message>
    <message>
        <source>The model follows what others wrote here: read it before you use the skill.</source>
        <translation>Das Modell befolgt, was andere hier geschrieben haben: Lies es, bevor du den Skill verwendest.</translation>
    </message>
    <message>
        <source>The model for new chats; empty for the included starter model.</source>
        <translation>Das Modell für neue Chats; leer für das mitgelieferte Startmodell.</translation>
    </message>
    <message>
        <source>The model is still answering in this chat. Stop it or wait.</source>
        <translation>Das Modell antwortet in diesem Chat noch. Stoppe es oder warte.</translation>
    </message>
    <message>
        <source>The model may call the tools that you select here, with your permission.</source>
        <translation>Das Modell darf die Werkzeuge, die du hier auswählst, mit deiner Erlaubnis aufrufen.</translation>
    </message>
    <message>
        <source>The model process could not be started: {reason}</source>
        <translation>Der Modellprozess konnte nicht gestartet werden: {reason}</translation>
    </message>
    <message>
        <source>The model produced invalid values (NaN). Its file may be damaged, or this device computes it incorrectly.</source>
        <translation>Das Modell hat ungültige Werte (NaN) erzeugt. Vielleicht ist die Datei beschädigt, oder dieses Gerät rechnet falsch.</translation>
    </message>
    <message>
        <source>The model reads all documents part by part, takes notes and answers from them. Other chats go first. You can stop at any time; what was read is kept.</source>
        <translation>Das Modell liest alle Dokumente Teil für Teil, macht Notizen und antwortet daraus. Andere Chats gehen vor. Sie können jederzeit anhalten; was gelesen wurde, bleibt.</translation>
    </message>
    <message>
        <source>The model stays.</source>
        <translation>Das Modell bleibt.</translation>
    </message>
    <message>
        <source>The model stops thinking and answers after this many tokens.</source>
        <translation>Nach so vielen Tokens hört das Modell auf nachzudenken und antwortet.</translation>
    </message>
    <message>
        <source>The model that reads aloud. Empty for the best one, “system” for your system’s own voice.</source>
        <translation>Das Modell, das vorliest. Leer für das beste, „system“ für die Stimme deines Systems.</translation>
    </message>
    <message>
        <source>The model that understands what you say. Empty for the best one that is here.</source>
        <translation>Das Modell, das versteht, was du sagst. Leer für das beste, das da ist.</translation>
    </message>
    <message>
        <source>The model uses {size} more RAM than predicted. Reloading with less memory helps.</source>
        <translation>Das Modell belegt {size} mehr RAM als vorhergesagt. Neu laden mit weniger Speicher hilft.</translation>
    </message>
    <message>
        <source>The model uses {size} more of {device} than predicted. Reloading with less memory helps.</source>
        <translation>Das Modell belegt {size} mehr von {device} als vorhergesagt. Neu laden mit weniger Speicher hilft.</translation>
    </message>
    <message>
        <source>The model writes a summary that you can view and edit.</source>
        <translation>Das Modell schreibt eine Zusammenfassung, die du ansehen und bearbeiten kannst.</translation>
    </message>
    <message>
        <source>The model&apos;s chat template failed: {reason}</source>
        <translation>Die Chatvorlage des Modells funktioniert nicht: {reason}</translation>
    </message>
    <message>
        <source>The model’s file has changed since then.</source>
        <translation>Die Modelldatei hat sich seitdem geändert.</translation>
    </message>
    <message>
        <source>The move of the library</source>
        <translation>Der Umzug der Bibliothek</translation>
    </message>
    <message>
        <source>The number of the voice, for models that have several.</source>
        <translation>Die Nummer der Stimme, bei Modellen mit mehreren.</translation>
    </message>
    <message>
        <source>The order in which samplers run, one per line. Samplers left out are off.</source>
        <translation>Die Reihenfolge, in der Sampler laufen, einer pro Zeile. Nicht genannte sind aus.</translation>
    </message>
    <message>
        <source>The original tokens were not recorded. The text was tokenized again and may differ slightly.</source>
        <translation>Die ursprünglichen Tokens wurden nicht aufgezeichnet. Der Text wurde neu in Tokens zerlegt und kann leicht abweichen.</translation>
    </message>
    <message>
        <source>The page no longer answered, and was stopped.</source>
        <translation>Die Seite antwortete nicht mehr und wurde beendet.</translation>
    </message>
    <message>
        <source>The page took more than 3 GB of memory, and was stopped.</source>
        <translation>Die Seite belegte mehr als 3 GB Speicher und wurde beendet.</translation>
    </message>
    <message>
        <source>The page’s process did not start within {n} seconds.</source>
        <translation>Der Prozess der Seite ist nicht innerhalb von {n} Sekunden gestartet.</translation>
    </message>
    <message>
        <source>The page’s process has ended unexpectedly.</source>
        <translation>Der Prozess der Seite ist unerwartet beendet worden.</translation>
    </message>
    <message>
        <source>The passphrase is changed.</source>
        <translation>Die Passphrase ist geändert.</translation>
    </message>
    <message>
        <source>The port at which paired devices connect over the local network.</source>
        <translation>Der Port, an dem sich gekoppelte Geräte über das lokale Netz verbinden.</translation>
    </message>
    <message>
        <source>The port of the local API on this computer.</source>
        <translation>Der Port der lokalen API auf diesem Computer.</translation>
    </message>
    <message>
        <source>The preset’s model is not installed: {model_id}</source>
        <translation>Das Modell des Presets ist nicht vorhanden: {model_id}</translation>
    </message>
    <message>
        <source>The preview could not be started: {reason}</source>
        <translation>Die Vorschau ließ sich nicht starten: {reason}</translation>
    </message>
    <message>
        <source>The prompt cache or the key file cannot be deleted.</source>
        <translation>Der Prompt-Cache oder die Schlüsseldatei lässt sich nicht löschen.</translation>
    </message>
    <message>
        <source>The questions in “{name}” cannot be read: {reason}</source>
        <translation>Die Fragen in „{name}“ können nicht gelesen werden: {reason}</translation>
    </message>
    <message>
        <source>The recording cannot be opened ({reason}).</source>
        <translation>Die Aufnahme lässt sich nicht öffnen ({reason}).</translation>
    </message>
    <message>
        <source>The recording is longer than four hours. Cut it into parts.</source>
        <translation>Die Aufnahme ist länger als vier Stunden. Teile sie auf.</translation>
    </message>
    <message>
        <source>The release was refused: {reason} Nothing was changed.</source>
        <translation>Die Veröffentlichung wurde abgelehnt: {reason} Nichts wurde geändert.</translation>
    </message>
    <message>
        <source>The rest does not fit into a presentation. Export it as a Word document.</source>
        <translation>Der Rest passt nicht in eine Präsentation. Exportiere ihn als Word-Dokument.</translation>
    </message>
    <message>
        <source>The result is sent to {host}.</source>
        <translation>Das Ergebnis wird an {host} gesendet.</translation>
    </message>
    <message>
        <source>The runtime</source>
        <translation>Die Runtime</translation>
    </message>
    <message>
        <source>The runtimes folder is not writable ({reason}): {path}</source>
        <translation>Der Runtime-Ordner ist nicht beschreibbar ({reason}): {path}</translation>
    </message>
    <message>
        <source>The same seed and settings give the same response. Random uses a new seed each time.</source>
        <translation>Gleicher Seed und gleiche Einstellungen ergeben dieselbe Antwort. „Zufällig“ nimmt jedes Mal einen neuen.</translation>
    </message>
    <message>
        <source>The schema, regular expression or grammar; not needed for text and plain JSON.</source>
        <translation>Das Schema, der reguläre Ausdruck oder die Grammatik; für Text und einfaches JSON nicht nötig.</translation>
    </message>
    <message>
        <source>The search</source>
        <translation>Die Suche</translation>
    </message>
    <message>
        <source>The server of this model was removed. Choose another model.</source>
        <translation>Der Server dieses Modells wurde entfernt. Wähle ein anderes Modell.</translation>
    </message>
    <message>
        <source>The server stops, and starts again only once you confirm the change.</source>
        <translation>Der Server hält an und startet erst wieder, wenn du die Änderung bestätigst.</translation>
    </message>
    <message>
        <source>The servers in it must be added again.</source>
        <translation>Die Server darin müssen neu hinzugefügt werden.</translation>
    </message>
    <message>
        <source>The setting “{name}” cannot be used: {reason}</source>
        <translation>Die Einstellung „{name}“ ist nicht verwendbar: {reason}</translation>
    </message>
    <message>
        <source>The settings file could not be read ({reason}). {now}; nothing was deleted: {path}</source>
        <translation>Die Einstellungsdatei war nicht lesbar ({reason}). {now}; gelöscht wurde nichts: {path}</translation>
    </message>
    <message>
        <source>The skill cannot be used: {reason}</source>
        <translation>Der Skill ist nicht verwendbar: {reason}</translation>
    </message>
    <message>
        <source>The skill “{name}” has just changed. Review it again.</source>
        <translation>Der Skill „{name}“ hat sich gerade geändert. Prüfe ihn noch einmal.</translation>
    </message>
    <message>
        <source>The skill “{name}” has no file “{path}”.</source>
        <translation>Der Skill „{name}“ hat keine Datei „{path}“.</translation>
    </message>
    <message>
        <source>The skill “{name}” is in a folder of another program or of your own. Delete it there.</source>
        <translation>Der Skill „{name}“ liegt in einem Ordner eines anderen Programms oder in einem von dir. Lösche ihn dort.</translation>
    </message>
    <message>
        <source>The speech model could not be loaded ({reason}). Download it again.</source>
        <translation>Das Modell für Sprechen und Hören konnte nicht geladen werden ({reason}). Lade es noch einmal herunter.</translation>
    </message>
    <message>
        <source>The starter model is missing, so the test cannot run.</source>
        <translation>Das Startmodell fehlt, daher ist der Test nicht möglich.</translation>
    </message>
    <message>
        <source>The system does not allow it.</source>
        <translation>Das System erlaubt es nicht.</translation>
    </message>
    <message>
        <source>The system keyring failed: {reason}</source>
        <translation>Der Schlüsselbund des Systems hat versagt: {reason}</translation>
    </message>
    <message>
        <source>The system keyring is locked. Unlock it and try again.</source>
        <translation>Der Schlüsselbund des Systems ist gesperrt. Entsperre ihn und versuche es erneut.</translation>
    </message>
    <message>
        <source>The system’s voice</source>
        <translation>Die Stimme des Systems</translation>
    </message>
    <message>
        <source>The tables, as plain text.</source>
        <translation>Die Tabellen als reiner Text.</translation>
    </message>
    <message>
        <source>The tool host ended.</source>
        <translation>Der Werkzeugprozess wurde beendet.</translation>
    </message>
    <message>
        <source>The tool is not what you decided about:</source>
        <translation>Das Werkzeug ist nicht das, über das du entschieden hast:</translation>
    </message>
    <message>
        <source>The tool says that the call failed.</source>
        <translation>Das Werkzeug meldet, dass der Aufruf gescheitert ist.</translation>
    </message>
    <message>
        <source>The two are different.</source>
        <translation>Die beiden sind verschieden.</translation>
    </message>
    <message>
        <source>The update could not be written to {path}: {reason} The version in use stays.</source>
        <translation>Das Update konnte nicht nach {path} geschrieben werden: {reason} Die verwendete Version bleibt.</translation>
    </message>
    <message>
        <source>The versions are too long to be compared.</source>
        <translation>Die Versionen sind zu lang, um verglichen zu werden.</translation>
    </message>
    <message>
        <source>The whole answer matches a pattern: numbers, codes or choices.</source>
        <translation>Die ganze Antwort entspricht einem Muster: Zahlen, Codes oder Auswahl.</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Farbschema</translation>
    </message>
    <message>
        <source>Theme: {choice}</source>
        <translation>Farbschema: {choice}</translation>
    </message>
    <message>
        <source>There are no skills here.</source>
        <translation>Hier gibt es keine Skills.</translation>
    </message>
    <message>
        <source>There is a backup of {day}.</source>
        <translation>Es gibt eine Sicherung vom {day}.</translation>
    </message>
    <message>
        <source>There is no MCP server “{name}”.</source>
        <translation>Es gibt keinen MCP-Server „{name}“.</translation>
    </message>
    <message>
        <source>There is no SKILL.md in it.</source>
        <translation>Darin ist keine SKILL.md.</translation>
    </message>
    <message>
        <source>There is no access to sound devices on this kind of computer.</source>
        <translation>Auf dieser Art von Computer gibt es keinen Zugriff auf Tongeräte.</translation>
    </message>
    <message>
        <source>There is no preview</source>
        <translation>Keine Vorschau</translation>
    </message>
    <message>
        <source>There is no skill “{name}”.</source>
        <translation>Es gibt keinen Skill „{name}“.</translation>
    </message>
    <message>
        <source>There is no sound in this file.</source>
        <translation>In dieser Datei ist kein Ton.</translation>
    </message>
    <message>
        <source>These chats were written by a newer version of Fireside. Update Fireside to open them.</source>
        <translation>Diese Chats stammen aus einer neueren Version von Fireside. Aktualisiere Fireside, um sie zu öffnen.</translation>
    </message>
    <message>
        <source>They follow the system prompt in all chats of this project, from the next answer on. Each chat shows them in its settings and under “View prompt”.</source>
        <translation>Sie folgen dem Systemprompt in allen Chats dieses Projekts, ab der nächsten Antwort. Jeder Chat zeigt sie in seinen Einstellungen und unter „Prompt anzeigen“.</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>Nachdenken</translation>
    </message>
    <message>
        <source>Thinking budget (tokens)</source>
        <translation>Denkbudget (Tokens)</translation>
    </message>
    <message numerus="yes">
        <source>Thinking: {part} of %n token.|Thinking: {part} of %n tokens.</source>
        <translation>
            <numerusform>Nachdenken: {part} von %n Token.</numerusform>
            <numerusform>Nachdenken: {part} von %n Tokens.</numerusform>
        </translation>
    </message>
    <message>
        <source>Thinking…</source>
        <translation>Denkt nach…</translation>
    </message>
    <message>
        <source>Thinking… {duration}</source>
        <translation>Denkt nach… {duration}</translation>
    </message>
    <message>
        <source>Thinks before answering; fast for its size (mixture of experts).</source>
        <translation>Denkt vor der Antwort nach; schnell für seine Größe (Mixture of Experts).</translation>
    </message>
    <message>
        <source>This address cannot be used: {reason}</source>
        <translation>Diese Adresse kann nicht verwendet werden: {reason}</translation>
    </message>
    <message>
        <source>This answer</source>
        <translation>Diese Antwort</translation>
    </message>
    <message>
        <source>This answer has no tokens.</source>
        <translation>Diese Antwort hat keine Tokens.</translation>
    </message>
    <message>
        <source>This answer’s prompt had {read} tokens, not {expected}: something differed.</source>
        <translation>Der Prompt dieser Antwort hatte {read} Tokens, nicht {expected}: Etwas war anders.</translation>
    </message>
    <message>
        <source>This answer’s settings were not recorded. The prompt is built with the current ones.</source>
        <translation>Die Einstellungen dieser Antwort wurden nicht aufgezeichnet. Der Prompt entsteht mit den aktuellen.</translation>
    </message>
    <message>
        <source>This backup was made with another passphrase. Enter that one to restore it.</source>
        <translation>Diese Sicherung hat eine andere Passphrase. Zum Wiederherstellen diese eingeben.</translation>
    </message>
    <message>
        <source>This build names no address for updates. Install an update over it; chats and settings stay.</source>
        <translation>Dieser Build nennt keine Adresse für Updates. Installiere ein Update darüber; Chats und Einstellungen bleiben.</translation>
    </message>
    <message>
        <source>This chart takes its data from {address}. Charts are drawn without any connection and without your files: have the values written into the chart.</source>
        <translation>Diese Grafik holt ihre Daten von {address}. Grafiken werden ohne Verbindung und ohne eigene Dateien gezeichnet: Die Werte müssen in der Grafik selbst stehen.</translation>
    </message>
    <message>
        <source>This chat</source>
        <translation>Dieser Chat</translation>
    </message>
    <message numerus="yes">
        <source>This chat exceeds the context length of %n token.|This chat exceeds the context length of %n tokens.</source>
        <translation>
            <numerusform>Dieser Chat überschreitet die Kontextlänge von %n Token.</numerusform>
            <numerusform>Dieser Chat überschreitet die Kontextlänge von %n Tokens.</numerusform>
        </translation>
    </message>
    <message>
        <source>This chat is empty</source>
        <translation>Dieser Chat ist leer</translation>
    </message>
    <message>
        <source>This chat is kept on this computer, so nothing was sent to {host}. Choose a local model or change that in the chat settings.</source>
        <translation>Dieser Chat bleibt auf diesem Computer, deshalb wurde nichts an {host} gesendet. Wähle ein lokales Modell oder ändere das in den Chat-Einstellungen.</translation>
    </message>
    <message numerus="yes">
        <source>This chat needs %n token, and the context holds {size}.|This chat needs %n tokens, and the context holds {size}.</source>
        <translation>
            <numerusform>Dieser Chat braucht %n Token, und der Kontext fasst {size}.</numerusform>
            <numerusform>Dieser Chat braucht %n Tokens, und der Kontext fasst {size}.</numerusform>
        </translation>
    </message>
    <message>
        <source>This chat stays on this computer</source>
        <translation>Dieser Chat bleibt auf diesem Computer</translation>
    </message>
    <message>
        <source>This chat stays on this computer. Choose a local model.</source>
        <translation>Dieser Chat bleibt auf diesem Computer. Wähle ein lokales Modell.</translation>
    </message>
    <message>
        <source>This computer is on no local network. Its address appears here once it is.</source>
        <translation>Dieser Computer ist in keinem lokalen Netz. Seine Adresse erscheint hier, sobald er in einem ist.</translation>
    </message>
    <message>
        <source>This did not work</source>
        <translation>Das hat nicht geklappt</translation>
    </message>
    <message>
        <source>This download no longer exists.</source>
        <translation>Diesen Download gibt es nicht mehr.</translation>
    </message>
    <message>
        <source>This downloads the newest version of {package} when it starts, so it can change at any time, and it needs the network. Write {pinned} to stay with one version.</source>
        <translation>Dieser Befehl lädt bei jedem Start die neueste Version von {package}. Sie kann sich also jederzeit ändern, und er braucht das Netz. Mit {pinned} bleibt es bei einer Version.</translation>
    </message>
    <message>
        <source>This file is not text, or is empty.</source>
        <translation>Diese Datei ist kein Text oder leer.</translation>
    </message>
    <message>
        <source>This format needs a schema, a regular expression or a grammar.</source>
        <translation>Dieses Format braucht ein Schema, einen regulären Ausdruck oder eine Grammatik.</translation>
    </message>
    <message>
        <source>This is a very small model: fast, but often wrong.</source>
        <translation>Ein sehr kleines Modell: schnell, aber oft falsch.</translation>
    </message>
    <message>
        <source>This is my version of “{title}”:</source>
        <translation>Das ist meine Fassung von „{title}“:</translation>
    </message>
    <message>
        <source>This is no artifact any more.</source>
        <translation>Das ist kein Artefakt mehr.</translation>
    </message>
    <message>
        <source>This is no chart in Vega-Lite: {reason}.</source>
        <translation>Das ist kein Diagramm in Vega-Lite: {reason}.</translation>
    </message>
    <message>
        <source>This is not a usable model file: {reason}</source>
        <translation>Das ist keine brauchbare Modelldatei: {reason}</translation>
    </message>
    <message>
        <source>This is not sound in a format that can be read: WAV, AIFF, MP3, FLAC, Ogg Vorbis or Opus.</source>
        <translation>Das ist kein Ton in einem lesbaren Format: WAV, AIFF, MP3, FLAC, Ogg Vorbis oder Opus.</translation>
    </message>
    <message>
        <source>This is not the passphrase. Check Caps Lock and the keyboard layout, and try again.</source>
        <translation>Das ist nicht die Passphrase. Feststelltaste und Tastaturbelegung prüfen und noch einmal versuchen.</translation>
    </message>
    <message>
        <source>This is too long for a preview.</source>
        <translation>Das ist zu lang für eine Vorschau.</translation>
    </message>
    <message>
        <source>This list of tags</source>
        <translation>Diese Tag-Liste</translation>
    </message>
    <message>
        <source>This message cannot be read.</source>
        <translation>Diese Nachricht ist nicht lesbar.</translation>
    </message>
    <message>
        <source>This message is damaged and cannot be shown. Others are not affected.</source>
        <translation>Diese Nachricht ist beschädigt und kann nicht angezeigt werden. Andere sind nicht betroffen.</translation>
    </message>
    <message>
        <source>This message is damaged and could not be read.</source>
        <translation>Diese Nachricht ist beschädigt und konnte nicht gelesen werden.</translation>
    </message>
    <message>
        <source>This model</source>
        <translation>Dieses Modell</translation>
    </message>
    <message>
        <source>This model cannot call tools, says {host}, so it gets none.</source>
        <translation>Dieses Modell kann laut {host} keine Werkzeuge aufrufen, daher bekommt es keine.</translation>
    </message>
    <message>
        <source>This model cannot call tools, so it gets none.</source>
        <translation>Dieses Modell kann keine Werkzeuge aufrufen, daher bekommt es keine.</translation>
    </message>
    <message>
        <source>This model does not support audio.</source>
        <translation>Dieses Modell versteht kein Audio.</translation>
    </message>
    <message>
        <source>This model does not support audio. Remove the file or choose a model that does.</source>
        <translation>Dieses Modell versteht kein Audio. Entferne die Datei oder wähle ein Modell, das Audio versteht.</translation>
    </message>
    <message>
        <source>This model does not support images.</source>
        <translation>Dieses Modell unterstützt keine Bilder.</translation>
    </message>
    <message>
        <source>This model does not support images. Remove the image or choose a vision model.</source>
        <translation>Dieses Modell unterstützt keine Bilder. Entferne das Bild oder wähle ein Vision-Modell.</translation>
    </message>
    <message>
        <source>This model does not support videos.</source>
        <translation>Dieses Modell unterstützt keine Videos.</translation>
    </message>
    <message>
        <source>This model does not support videos. Remove the file or choose a model that does.</source>
        <translation>Dieses Modell versteht keine Videos. Entferne die Datei oder wähle ein Modell, das Videos versteht.</translation>
    </message>
    <message>
        <source>This model file could not be removed: {reason}</source>
        <translation>Diese Modelldatei konnte nicht entfernt werden: {reason}</translation>
    </message>
    <message>
        <source>This model gets the images of the video without its sound.</source>
        <translation>Dieses Modell bekommt die Bilder des Videos ohne den Ton.</translation>
    </message>
    <message>
        <source>This model is a test of the engine: far too small for real answers, and it only knows English.</source>
        <translation>Dieses Modell ist ein Test der Engine: viel zu klein für echte Antworten, und es kann nur Englisch.</translation>
    </message>
    <message>
        <source>This model is for {is_for} and cannot {wanted}. Choose another model.</source>
        <translation>Dieses Modell ist für „{is_for}“ gemacht und kann nicht „{wanted}“. Wähle ein anderes Modell.</translation>
    </message>
    <message>
        <source>This model was not made for tools and seldom calls them.</source>
        <translation>Dieses Modell ist nicht für Werkzeuge gemacht und ruft sie selten auf.</translation>
    </message>
    <message>
        <source>This name</source>
        <translation>Dieser Name</translation>
    </message>
    <message>
        <source>This needs {needed_bytes} of free disk space for a while; {free_bytes} are free.</source>
        <translation>Dafür werden vorübergehend {needed_bytes} freier Speicherplatz gebraucht; {free_bytes} sind frei.</translation>
    </message>
    <message>
        <source>This project</source>
        <translation>Dieses Projekt</translation>
    </message>
    <message>
        <source>This server has no resources.</source>
        <translation>Dieser Server hat keine Ressourcen.</translation>
    </message>
    <message>
        <source>This system allows no namespaces. The code can see which files exist, change their permissions and times, and fill the disk. It cannot read or write your files, start programs, or reach the network.</source>
        <translation>Dieses System erlaubt keine Namespaces. Der Code kann sehen, welche Dateien es gibt, ihre Rechte und Zeiten ändern und die Platte füllen. Er kann deine Dateien nicht lesen oder schreiben, keine Programme starten und das Netz nicht erreichen.</translation>
    </message>
    <message>
        <source>This system does not confine it: the code can read, change and delete your files, start programs and use the network, as you can.</source>
        <translation>Dieses System schränkt ihn nicht ein: Der Code kann wie du deine Dateien lesen, ändern und löschen, Programme starten und das Netz benutzen.</translation>
    </message>
    <message>
        <source>This system does not let programs confine a web page, so it is not shown here. Open it in your browser.</source>
        <translation>Dieses System lässt nicht zu, dass Programme eine Webseite abschotten, deshalb wird sie hier nicht gezeigt. Im Browser lässt sie sich öffnen.</translation>
    </message>
    <message>
        <source>This system has no Unix sockets.</source>
        <translation>Dieses System hat keine Unix-Sockets.</translation>
    </message>
    <message>
        <source>This system has no keyring, so this is kept until Fireside closes. You can save it in an unencrypted file that only your user account can read.</source>
        <translation>Dieses System hat keinen Schlüsselbund, daher bleibt dies nur bis zum Beenden von Fireside erhalten. Du kannst es in einer unverschlüsselten Datei speichern, die nur dein Benutzerkonto lesen kann.</translation>
    </message>
    <message>
        <source>This tag</source>
        <translation>Dieser Tag</translation>
    </message>
    <message>
        <source>This template writes nothing.</source>
        <translation>Diese Vorlage schreibt nichts.</translation>
    </message>
    <message>
        <source>This text cannot be sent: {reason}</source>
        <translation>Dieser Text kann nicht gesendet werden: {reason}</translation>
    </message>
    <message>
        <source>This token is used for {host} only. Use only an address you trust.</source>
        <translation>Dieses Token wird nur für {host} verwendet. Verwende nur eine Adresse, der du vertraust.</translation>
    </message>
    <message>
        <source>This tool has changed since you decided</source>
        <translation>Dieses Werkzeug hat sich seit deiner Entscheidung geändert</translation>
    </message>
    <message>
        <source>This voice needs the program espeak-ng. Install that first.</source>
        <translation>Diese Stimme braucht das Programm espeak-ng. Installiere es zuerst.</translation>
    </message>
    <message>
        <source>This {what} no longer exists.</source>
        <translation>Nicht mehr vorhanden: {what}.</translation>
    </message>
    <message>
        <source>Thought for a moment</source>
        <translation>Hat kurz nachgedacht</translation>
    </message>
    <message>
        <source>Thought for {duration}</source>
        <translation>Hat {duration} nachgedacht</translation>
    </message>
    <message>
        <source>Thought for {seconds} s</source>
        <translation>{seconds} s nachgedacht</translation>
    </message>
    <message>
        <source>Thought, no answer</source>
        <translation>Nachgedacht, keine Antwort</translation>
    </message>
    <message>
        <source>Thread spin count</source>
        <translation>Aktives Warten der Threads</translation>
    </message>
    <message numerus="yes">
        <source>Thread spin count %n|Thread spin count %n</source>
        <translation>
            <numerusform>Aktives Warten: %n Runde</numerusform>
            <numerusform>Aktives Warten: %n Runden</numerusform>
        </translation>
    </message>
    <message>
        <source>Thread spin off</source>
        <translation>Aktives Warten aus</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Threads used to generate a response. Auto uses all fast cores.</source>
        <translation>Threads zum Erzeugen der Antwort. „Auto“ nutzt alle schnellen Kerne.</translation>
    </message>
    <message>
        <source>Threads used to process the prompt. Auto uses as many as CPU threads.</source>
        <translation>Threads zum Verarbeiten des Prompts. „Auto“ nimmt so viele wie CPU-Threads.</translation>
    </message>
    <message>
        <source>Three bullet points</source>
        <translation>Drei Stichpunkte</translation>
    </message>
    <message>
        <source>Ticked models appear in the list of models.</source>
        <translation>Angehakte Modelle erscheinen in der Modellliste.</translation>
    </message>
    <message>
        <source>Timed out.</source>
        <translation>Zeitlimit überschritten.</translation>
    </message>
    <message>
        <source>Tip</source>
        <translation>Tipp</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <source>To search documents, and to help other models</source>
        <translation>Für die Suche in Dokumenten und als Helfer anderer Modelle</translation>
    </message>
    <message>
        <source>To sign in, open this page of {host}:</source>
        <translation>Öffne zum Anmelden diese Seite von {host}:</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>Toggle sidebar</source>
        <translation>Seitenleiste ein-/ausblenden</translation>
    </message>
    <message>
        <source>Token probabilities</source>
        <translation>Token-Wahrscheinlichkeiten</translation>
    </message>
    <message>
        <source>Tokens computed at once. Smaller uses less memory and stops sooner.</source>
        <translation>Gleichzeitig berechnete Tokens. Kleiner braucht weniger Speicher und stoppt schneller.</translation>
    </message>
    <message>
        <source>Too large for this computer</source>
        <translation>Zu groß für diesen Computer</translation>
    </message>
    <message>
        <source>Too large for this computer to run well: only heavily quantized or slow files fit.</source>
        <translation>Zu groß für diesen Computer: Nur stark quantisierte oder langsame Dateien passen.</translation>
    </message>
    <message>
        <source>Too long for this model</source>
        <translation>Zu lang für dieses Modell</translation>
    </message>
    <message>
        <source>Too many levels of symbolic links</source>
        <translation>die Verknüpfungen führen im Kreis</translation>
    </message>
    <message>
        <source>Too many open files</source>
        <translation>zu viele Dateien sind geöffnet</translation>
    </message>
    <message>
        <source>Too many requests to Hugging Face. Try again in {when}.</source>
        <translation>Zu viele Anfragen an Hugging Face. Versuche es in {when} erneut.</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>Werkzeug</translation>
    </message>
    <message>
        <source>Tool permissions</source>
        <translation>Erlaubnisse für Werkzeuge</translation>
    </message>
    <message>
        <source>Tool use</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>Tools allowed in this chat</source>
        <translation>In diesem Chat erlaubte Werkzeuge</translation>
    </message>
    <message>
        <source>Tools and permissions</source>
        <translation>Werkzeuge und Erlaubnisse</translation>
    </message>
    <message>
        <source>Tools in this chat</source>
        <translation>Werkzeuge in diesem Chat</translation>
    </message>
    <message>
        <source>Tools it asks for</source>
        <translation>Gewünschte Werkzeuge</translation>
    </message>
    <message>
        <source>Tools run on this computer. What they read is sent to {host}.</source>
        <translation>Werkzeuge laufen auf diesem Computer. Was sie lesen, wird an {host} gesendet.</translation>
    </message>
    <message>
        <source>Tools stopped: a call was repeated with the same result.</source>
        <translation>Werkzeuge angehalten: Ein Aufruf wurde mit demselben Ergebnis wiederholt.</translation>
    </message>
    <message>
        <source>Tools stopped: invalid arguments twice in a row.</source>
        <translation>Werkzeuge angehalten: zweimal nacheinander ungültige Argumente.</translation>
    </message>
    <message>
        <source>Tools stopped: no response after the last call.</source>
        <translation>Werkzeuge angehalten: keine Antwort nach dem letzten Aufruf.</translation>
    </message>
    <message>
        <source>Tools stopped: step limit reached.</source>
        <translation>Werkzeuge angehalten: Höchstzahl der Schritte erreicht.</translation>
    </message>
    <message>
        <source>Tools that this chat may use without asking.</source>
        <translation>Werkzeuge, die dieser Chat ohne Nachfrage benutzen darf.</translation>
    </message>
    <message>
        <source>Tools: {names}</source>
        <translation>Werkzeuge: {names}</translation>
    </message>
    <message>
        <source>Tools…</source>
        <translation>Werkzeuge…</translation>
    </message>
    <message>
        <source>Top K</source>
        <translation>Top K</translation>
    </message>
    <message>
        <source>Top P</source>
        <translation>Top P</translation>
    </message>
    <message>
        <source>Top n-sigma</source>
        <translation>Top-n-Sigma</translation>
    </message>
    <message>
        <source>Top token alternatives</source>
        <translation>Token-Alternativen</translation>
    </message>
    <message>
        <source>Trained context</source>
        <translation>Trainierter Kontext</translation>
    </message>
    <message>
        <source>Trained for {context} ({n_ctx_train} tokens)</source>
        <translation>Trainiert auf {context} ({n_ctx_train} Tokens)</translation>
    </message>
    <message>
        <source>Transcribe</source>
        <translation>Transkribieren</translation>
    </message>
    <message>
        <source>Transcribing, at {time}</source>
        <translation>Wird transkribiert, bei {time}</translation>
    </message>
    <message>
        <source>Transcribing, {percent}%</source>
        <translation>Wird transkribiert, {percent} %</translation>
    </message>
    <message>
        <source>Transcribing…</source>
        <translation>Wird transkribiert…</translation>
    </message>
    <message>
        <source>Translates whatever you write</source>
        <translation>Übersetzt, was immer du schreibst</translation>
    </message>
    <message>
        <source>Translator</source>
        <translation>Übersetzer</translation>
    </message>
    <message>
        <source>Transport endpoint is not connected</source>
        <translation>das Laufwerk ist nicht verbunden</translation>
    </message>
    <message>
        <source>Trending</source>
        <translation>Im Trend</translation>
    </message>
    <message>
        <source>Truncate middle</source>
        <translation>Mitte auslassen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Try again: {subject}</source>
        <translation>Erneut versuchen: {subject}</translation>
    </message>
    <message>
        <source>Try fewer filters.</source>
        <translation>Versuche es mit weniger Filtern.</translation>
    </message>
    <message>
        <source>Try fewer words or other filters. Only GGUF models are listed.</source>
        <translation>Versuche weniger Wörter oder andere Filter. Nur GGUF-Modelle werden angezeigt.</translation>
    </message>
    <message>
        <source>Try {tool}</source>
        <translation>{tool} ausprobieren</translation>
    </message>
    <message>
        <source>Try…</source>
        <translation>Ausprobieren…</translation>
    </message>
    <message>
        <source>Tune</source>
        <translation>Tunen</translation>
    </message>
    <message>
        <source>Tune again</source>
        <translation>Neu tunen</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Type a message to compare answers</source>
        <translation>Schreibe eine Nachricht, um Antworten zu vergleichen</translation>
    </message>
    <message>
        <source>Typical P</source>
        <translation>Typical P</translation>
    </message>
    <message>
        <source>Typical turn</source>
        <translation>Typische Runde</translation>
    </message>
    <message>
        <source>Unarchive</source>
        <translation>Aus dem Archiv holen</translation>
    </message>
    <message>
        <source>Unarchive chat</source>
        <translation>Chat aus dem Archiv holen</translation>
    </message>
    <message>
        <source>Unavailable: {hosts}</source>
        <translation>Nicht verfügbar: {hosts}</translation>
    </message>
    <message>
        <source>Unchanged</source>
        <translation>Unverändert</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Undo delete</source>
        <translation>Löschen rückgängig machen</translation>
    </message>
    <message>
        <source>Unexpected response from {host}: {reason}</source>
        <translation>Unerwartete Antwort von {host}: {reason}</translation>
    </message>
    <message>
        <source>Unfortunately we can not to come on saturday because of the wether.</source>
        <translation>Leider können wir am Samstag wegen den Wetter nicht komen.</translation>
    </message>
    <message>
        <source>Unified KV cache</source>
        <translation>Gemeinsamer KV-Cache</translation>
    </message>
    <message>
        <source>Unknown setting.</source>
        <translation>Unbekannte Einstellung.</translation>
    </message>
    <message>
        <source>Unknown setting. Did you mean “{key}”?</source>
        <translation>Unbekannte Einstellung. Meintest du „{key}“?</translation>
    </message>
    <message>
        <source>Unload</source>
        <translation>Entladen</translation>
    </message>
    <message>
        <source>Unload after idle</source>
        <translation>Bei Leerlauf entladen</translation>
    </message>
    <message>
        <source>Unload and measure</source>
        <translation>Entladen und messen</translation>
    </message>
    <message>
        <source>Unload {name}</source>
        <translation>{name} entladen</translation>
    </message>
    <message>
        <source>Unloaded to free {size} of unused memory. Your next message reloads it.</source>
        <translation>Entladen, um {size} ungenutzten Speicher freizugeben. Deine nächste Nachricht lädt es neu.</translation>
    </message>
    <message>
        <source>Unloading</source>
        <translation>Wird entladen</translation>
    </message>
    <message>
        <source>Unloading stops the answers of {models}.</source>
        <translation>Das Entladen stoppt die Antworten von {models}.</translation>
    </message>
    <message>
        <source>Unlock</source>
        <translation>Entsperren</translation>
    </message>
    <message>
        <source>Unlock with the system’s keyring when Fireside starts</source>
        <translation>Beim Start mit dem Schlüsselbund des Systems entsperren</translation>
    </message>
    <message>
        <source>Unlocking…</source>
        <translation>Wird entsperrt…</translation>
    </message>
    <message>
        <source>Unnamed</source>
        <translation>Ohne Namen</translation>
    </message>
    <message>
        <source>Unpacking “{name}”…</source>
        <translation>„{name}“ wird entpackt…</translation>
    </message>
    <message>
        <source>Unpacking…</source>
        <translation>Wird entpackt…</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Lösen</translation>
    </message>
    <message>
        <source>Unpin chat</source>
        <translation>Chat lösen</translation>
    </message>
    <message>
        <source>Unpin message</source>
        <translation>Nachricht lösen</translation>
    </message>
    <message>
        <source>Unsent draft from before</source>
        <translation>Nicht gesendeter Entwurf von vorher</translation>
    </message>
    <message>
        <source>Unsupported: {numbers}</source>
        <translation>Nicht belegt: {numbers}</translation>
    </message>
    <message>
        <source>Unusable</source>
        <translation>Unbrauchbar</translation>
    </message>
    <message>
        <source>Up to 3B</source>
        <translation>Bis 3B</translation>
    </message>
    <message>
        <source>Update</source>
        <translation>Aktualisieren</translation>
    </message>
    <message>
        <source>Update Fireside the way you installed it.</source>
        <translation>Aktualisiere Fireside so, wie du es installiert hast.</translation>
    </message>
    <message>
        <source>Update available</source>
        <translation>Update verfügbar</translation>
    </message>
    <message>
        <source>Update of Fireside</source>
        <translation>Update von Fireside</translation>
    </message>
    <message>
        <source>Update progress</source>
        <translation>Update-Fortschritt</translation>
    </message>
    <message>
        <source>Update queued</source>
        <translation>Update in der Warteschlange</translation>
    </message>
    <message>
        <source>Updated</source>
        <translation>Aktualisiert</translation>
    </message>
    <message>
        <source>Updates</source>
        <translation>Updates</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Zweck</translation>
    </message>
    <message>
        <source>Use Ctrl, Alt or a function key.</source>
        <translation>Verwende Strg, Alt oder eine Funktionstaste.</translation>
    </message>
    <message>
        <source>Use a collection…</source>
        <translation>Sammlung verwenden…</translation>
    </message>
    <message>
        <source>Use default system prompt</source>
        <translation>Standard-Systemprompt verwenden</translation>
    </message>
    <message>
        <source>Use in chat</source>
        <translation>Im Chat benutzen</translation>
    </message>
    <message>
        <source>Use in chats</source>
        <translation>In Chats benutzen</translation>
    </message>
    <message>
        <source>Use in this chat</source>
        <translation>In diesem Chat verwenden</translation>
    </message>
    <message>
        <source>Use loaded models</source>
        <translation>Geladene Modelle verwenden</translation>
    </message>
    <message>
        <source>Use model</source>
        <translation>Modell verwenden</translation>
    </message>
    <message>
        <source>Use models of another computer or a provider. Nothing is sent until you choose one.</source>
        <translation>Modelle eines anderen Computers oder eines Anbieters verwenden. Gesendet wird erst, wenn du eines wählst.</translation>
    </message>
    <message>
        <source>Use preset {name}</source>
        <translation>Preset {name} verwenden</translation>
    </message>
    <message>
        <source>Use random seed</source>
        <translation>Zufälligen Seed verwenden</translation>
    </message>
    <message>
        <source>Use skill</source>
        <translation>Skill verwenden</translation>
    </message>
    <message>
        <source>Use this seed</source>
        <translation>Diesen Seed verwenden</translation>
    </message>
    <message>
        <source>Use tools that never ask</source>
        <translation>Werkzeuge verwenden, die nie fragen</translation>
    </message>
    <message>
        <source>Use {key}=value.</source>
        <translation>Schreib {key}=Wert.</translation>
    </message>
    <message>
        <source>Use {name}</source>
        <translation>{name} verwenden</translation>
    </message>
    <message>
        <source>Use {name} in chats</source>
        <translation>{name} in Chats benutzen</translation>
    </message>
    <message>
        <source>Use {words}</source>
        <translation>{words} benutzen</translation>
    </message>
    <message>
        <source>Use {{name}} for variables. {{date}}, {{time}}, {{language}} and {{model}} are filled in automatically.</source>
        <translation>Verwende {{name}} für Variablen. {{date}}, {{time}}, {{language}} und {{model}} werden automatisch ausgefüllt.</translation>
    </message>
    <message>
        <source>Uses more memory on sliding-window models, so that editing an earlier message reuses more of the prompt cache.</source>
        <translation>Braucht bei Sliding-Window-Modellen mehr Speicher; dafür nutzt das Bearbeiten früherer Nachrichten mehr vom Prompt-Cache.</translation>
    </message>
    <message>
        <source>Uses the network</source>
        <translation>Benutzt das Netzwerk</translation>
    </message>
    <message>
        <source>Uses {size}, as predicted; loaded in {seconds} s.</source>
        <translation>Belegt {size}, wie vorhergesagt; geladen in {seconds} s.</translation>
    </message>
    <message>
        <source>Uses {size}, {difference} less than predicted; loaded in {seconds} s.</source>
        <translation>Belegt {size}, {difference} weniger als vorhergesagt; geladen in {seconds} s.</translation>
    </message>
    <message>
        <source>Uses {size}, {difference} more than predicted; loaded in {seconds} s.</source>
        <translation>Belegt {size}, {difference} mehr als vorhergesagt; geladen in {seconds} s.</translation>
    </message>
    <message>
        <source>Uses {size}; loaded in {seconds} s.</source>
        <translation>Belegt {size}; geladen in {seconds} s.</translation>
    </message>
    <message>
        <source>V cache quantization</source>
        <translation>V-Cache-Quantisierung</translation>
    </message>
    <message>
        <source>Valid grammar</source>
        <translation>Gültige Grammatik</translation>
    </message>
    <message>
        <source>Valid pattern</source>
        <translation>Gültiges Muster</translation>
    </message>
    <message>
        <source>Valid schema</source>
        <translation>Gültiges Schema</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>Variablen</translation>
    </message>
    <message>
        <source>Variables or headers</source>
        <translation>Variablen oder Header</translation>
    </message>
    <message>
        <source>Varies the temperature by up to this much, lower where the model is confident. 0 is off.</source>
        <translation>Verändert die Temperatur um bis zu diesem Wert, niedriger, wo das Modell sicher ist. 0 schaltet es aus.</translation>
    </message>
    <message>
        <source>Verdict and reason</source>
        <translation>Urteil und Begründung</translation>
    </message>
    <message>
        <source>Verified</source>
        <translation>Geprüft</translation>
    </message>
    <message>
        <source>Verified just now: the checksum matches.</source>
        <translation>Gerade geprüft: Die Prüfsumme stimmt.</translation>
    </message>
    <message>
        <source>Verified {done} of {all}.</source>
        <translation>{done} von {all} geprüft.</translation>
    </message>
    <message>
        <source>Verify file</source>
        <translation>Datei prüfen</translation>
    </message>
    <message>
        <source>Verifying</source>
        <translation>Wird geprüft</translation>
    </message>
    <message>
        <source>Verifying copies: {n_done} of {n_files} files, {done} of {all}.</source>
        <translation>Kopien werden geprüft: {n_done} von {n_files} Dateien, {done} von {all}.</translation>
    </message>
    <message>
        <source>Verifying {percent}%</source>
        <translation>Prüfung {percent} %</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>Version</translation>
    </message>
    <message>
        <source>Version 1</source>
        <translation>Version 1</translation>
    </message>
    <message>
        <source>Version 2</source>
        <translation>Version 2</translation>
    </message>
    <message>
        <source>Version by hand</source>
        <translation>Von Hand bearbeitete Version</translation>
    </message>
    <message>
        <source>Version by hand of “{name}”</source>
        <translation>Von Hand bearbeitete Version von „{name}“</translation>
    </message>
    <message>
        <source>Version {failed} did not start twice, so version {version} is used again.</source>
        <translation>Version {failed} startete zweimal nicht, darum wird wieder Version {version} verwendet.</translation>
    </message>
    <message>
        <source>Version {number} of {count}</source>
        <translation>Version {number} von {count}</translation>
    </message>
    <message>
        <source>Version {place} of {all}</source>
        <translation>Version {place} von {all}</translation>
    </message>
    <message>
        <source>Version {place} of {all}.</source>
        <translation>Version {place} von {all}.</translation>
    </message>
    <message>
        <source>Version {version}</source>
        <translation>Version {version}</translation>
    </message>
    <message>
        <source>Version {version} cannot be installed here: {reason}</source>
        <translation>Version {version} lässt sich hier nicht installieren: {reason}</translation>
    </message>
    <message>
        <source>Version {version} does not work on this computer ({reason}). The version in use stays.</source>
        <translation>Version {version} funktioniert auf diesem Computer nicht ({reason}). Die verwendete Version bleibt.</translation>
    </message>
    <message>
        <source>Version {version} is available ({size}, {day}).</source>
        <translation>Version {version} ist verfügbar ({size}, {day}).</translation>
    </message>
    <message>
        <source>Version {version} starts the next time you open Fireside.</source>
        <translation>Version {version} startet, wenn du Fireside das nächste Mal öffnest.</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>Versionen</translation>
    </message>
    <message>
        <source>Very slow (under 1 token/s)</source>
        <translation>Sehr langsam (unter 1 Token/s)</translation>
    </message>
    <message>
        <source>Video</source>
        <translation>Video</translation>
    </message>
    <message numerus="yes">
        <source>Video sent to the model, as %n image|Video sent to the model, as %n images</source>
        <translation>
            <numerusform>Video, das an das Modell gesendet wird, als %n Bild</numerusform>
            <numerusform>Video, das an das Modell gesendet wird, als %n Bilder</numerusform>
        </translation>
    </message>
    <message>
        <source>Videos and M4A files are not read until it is downloaded again.</source>
        <translation>Videos und M4A-Dateien werden dann nicht gelesen, bis sie wieder heruntergeladen ist.</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>View prompt</source>
        <translation>Prompt anzeigen</translation>
    </message>
    <message>
        <source>View {name}</source>
        <translation>{name} ansehen</translation>
    </message>
    <message>
        <source>View…</source>
        <translation>Ansehen…</translation>
    </message>
    <message>
        <source>Vision</source>
        <translation>Vision</translation>
    </message>
    <message>
        <source>Vision model</source>
        <translation>Vision-Modell</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>Vokabular</translation>
    </message>
    <message>
        <source>Voice</source>
        <translation>Stimme</translation>
    </message>
    <message>
        <source>Voices</source>
        <translation>Stimmen</translation>
    </message>
    <message>
        <source>Voice…</source>
        <translation>Stimme…</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Wartet</translation>
    </message>
    <message>
        <source>Waiting for another model to finish…</source>
        <translation>Wartet, bis ein anderes Modell fertig ist…</translation>
    </message>
    <message>
        <source>Waiting for another model to load…</source>
        <translation>Wartet auf das Laden eines anderen Modells…</translation>
    </message>
    <message>
        <source>Waiting for disk space</source>
        <translation>Wartet auf Speicherplatz</translation>
    </message>
    <message>
        <source>Waiting for network</source>
        <translation>Wartet auf Netzwerk</translation>
    </message>
    <message numerus="yes">
        <source>Waiting for one other answer to finish…|Waiting for %n other answers to finish…</source>
        <translation>
            <numerusform>Wartet, bis eine andere Antwort fertig ist…</numerusform>
            <numerusform>Wartet, bis %n andere Antworten fertig sind…</numerusform>
        </translation>
    </message>
    <message>
        <source>Waiting for permission</source>
        <translation>Wartet auf Erlaubnis</translation>
    </message>
    <message>
        <source>Waiting for the benchmark of {model}… · Cancel it on the model’s page</source>
        <translation>Wartet auf den Benchmark von {model}… · Abbrechen auf der Seite des Modells</translation>
    </message>
    <message>
        <source>Waiting for you</source>
        <translation>Wartet auf dich</translation>
    </message>
    <message>
        <source>Waiting for {model} to finish…</source>
        <translation>Wartet, bis {model} fertig ist…</translation>
    </message>
    <message>
        <source>Waiting for {model} to load (no progress at the moment)…</source>
        <translation>Wartet auf das Laden von {model} (im Moment kein Fortschritt)…</translation>
    </message>
    <message>
        <source>Waiting for {model} to load…</source>
        <translation>Wartet auf das Laden von {model}…</translation>
    </message>
    <message>
        <source>Waiting for {server}…</source>
        <translation>Warte auf {server}…</translation>
    </message>
    <message>
        <source>Waiting to be transcribed</source>
        <translation>Wartet auf das Transkribieren</translation>
    </message>
    <message>
        <source>Waiting: a chat is answering</source>
        <translation>Wartet: Ein Chat antwortet</translation>
    </message>
    <message>
        <source>Waits for “Media formats”</source>
        <translation>Wartet auf „Medienformate“</translation>
    </message>
    <message>
        <source>Warming up…</source>
        <translation>Wird vorbereitet…</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Weak: easy to guess for a computer. Several words in a row are better.</source>
        <translation>Schwach: für einen Computer leicht zu erraten. Mehrere Wörter hintereinander sind besser.</translation>
    </message>
    <message>
        <source>Web page</source>
        <translation>Webseite</translation>
    </message>
    <message>
        <source>Web page for a chat</source>
        <translation>Webseite für einen Chat</translation>
    </message>
    <message>
        <source>Web preview</source>
        <translation>Webvorschau</translation>
    </message>
    <message>
        <source>Web search</source>
        <translation>Websuche</translation>
    </message>
    <message>
        <source>What a chat sets itself is stronger than what is set here.</source>
        <translation>Was ein Chat selbst einstellt, gilt vor dem, was hier steht.</translation>
    </message>
    <message>
        <source>What can I help with?</source>
        <translation>Wobei kann ich helfen?</translation>
    </message>
    <message>
        <source>What changed</source>
        <translation>Was sich geändert hat</translation>
    </message>
    <message>
        <source>What follows the system prompt in all chats of a project.</source>
        <translation>Was in allen Chats eines Projekts auf den Systemprompt folgt.</translation>
    </message>
    <message>
        <source>What is a volcano?</source>
        <translation>What is a volcano?</translation>
    </message>
    <message>
        <source>What is attached to it was not read: {names}. Save it as files of its own.</source>
        <translation>Ihre Anhänge wurden nicht gelesen: {names}. Speichere sie als eigene Dateien.</translation>
    </message>
    <message>
        <source>What is photosynthesis?</source>
        <translation>What is photosynthesis?</translation>
    </message>
    <message>
        <source>What is the water cycle?</source>
        <translation>What is the water cycle?</translation>
    </message>
    <message>
        <source>What it asks for is not granted: your own choices in Tools count.</source>
        <translation>Was er wünscht, ist nicht gewährt: Deine Wahl unter Werkzeuge zählt.</translation>
    </message>
    <message>
        <source>What it is for ends until it is downloaded again.</source>
        <translation>Wofür sie da ist, geht dann erst wieder nach erneutem Herunterladen.</translation>
    </message>
    <message>
        <source>What it returns was written by others and may try to instruct the model.</source>
        <translation>Was es zurückgibt, haben andere geschrieben, und es kann versuchen, dem Modell Anweisungen zu geben.</translation>
    </message>
    <message>
        <source>What models are told where “Remember facts” is on. Facts that hold everywhere are known in chats that begin later; those of a project or chat at once.</source>
        <translation>Was Modelle erfahren, wo „Angaben merken“ an ist. Angaben, die überall gelten, sind in Chats bekannt, die später beginnen; die eines Projekts oder Chats sofort.</translation>
    </message>
    <message>
        <source>What models may use in chats. The wrench below a chat’s messages turns a tool on or off in that chat alone.</source>
        <translation>Was Modelle in Chats verwenden dürfen. Der Schraubenschlüssel unter den Nachrichten schaltet ein Werkzeug nur in diesem Chat ein oder aus.</translation>
    </message>
    <message>
        <source>What the server sends counts as text by others.</source>
        <translation>Was der Server sendet, gilt als Text anderer.</translation>
    </message>
    <message>
        <source>What to do with a box of old jam jars</source>
        <translation>Was man mit einer Kiste alter Marmeladengläser machen kann</translation>
    </message>
    <message>
        <source>What was read of it is still searched.</source>
        <translation>Was von ihr gelesen wurde, wird weiter durchsucht.</translation>
    </message>
    <message>
        <source>What you decided about each tool.</source>
        <translation>Was du für jedes Werkzeug entschieden hast.</translation>
    </message>
    <message>
        <source>What you write goes to {server}. Never enter passwords or keys here.</source>
        <translation>Was du schreibst, geht an {server}. Gib hier nie Passwörter oder Schlüssel ein.</translation>
    </message>
    <message>
        <source>What you write here is sent to {host}.</source>
        <translation>Was du hier schreibst, geht an {host}.</translation>
    </message>
    <message>
        <source>What’s new</source>
        <translation>Neuigkeiten</translation>
    </message>
    <message>
        <source>What’s new and licences…</source>
        <translation>Neuerungen und Lizenzen…</translation>
    </message>
    <message>
        <source>When a chat is too long</source>
        <translation>Wenn ein Chat zu lang ist</translation>
    </message>
    <message>
        <source>When a response fills the context</source>
        <translation>Wenn eine Antwort den Kontext füllt</translation>
    </message>
    <message>
        <source>When full, the middle will be truncated.</source>
        <translation>Wenn er voll ist, wird die Mitte ausgelassen.</translation>
    </message>
    <message>
        <source>When full, the oldest messages will be dropped.</source>
        <translation>Wenn er voll ist, werden die ältesten Nachrichten weggelassen.</translation>
    </message>
    <message>
        <source>When full, the oldest messages will be summarised.</source>
        <translation>Wenn er voll ist, werden die ältesten Nachrichten zusammengefasst.</translation>
    </message>
    <message>
        <source>When full, you will be asked what to do.</source>
        <translation>Wenn er voll ist, wirst du gefragt, was geschehen soll.</translation>
    </message>
    <message>
        <source>When the file came here</source>
        <translation>Wann die Datei hierher kam</translation>
    </message>
    <message>
        <source>Where backups are stored; empty for the data folder. A different drive is safer.</source>
        <translation>Wo Sicherungen gespeichert werden; leer für den Datenordner. Ein anderes Laufwerk ist sicherer.</translation>
    </message>
    <message>
        <source>Where chats and logs are stored. Changing it leaves existing data in the old folder.</source>
        <translation>Wo Chats und Protokolle gespeichert werden. Beim Wechsel bleiben vorhandene Daten im alten Ordner.</translation>
    </message>
    <message>
        <source>Where components are downloaded from: empty for PyPI, or a mirror that answers in JSON.</source>
        <translation>Woher Komponenten heruntergeladen werden: leer für PyPI, oder ein Spiegelserver, der in JSON antwortet.</translation>
    </message>
    <message>
        <source>Where facts hold</source>
        <translation>Wo Angaben gelten</translation>
    </message>
    <message>
        <source>Where is the nearest railway station?</source>
        <translation>Wo ist der nächste Bahnhof?</translation>
    </message>
    <message>
        <source>Where it holds</source>
        <translation>Wo sie gilt</translation>
    </message>
    <message>
        <source>Where models are stored and downloaded to.</source>
        <translation>Wo Modelle liegen und heruntergeladene gespeichert werden.</translation>
    </message>
    <message>
        <source>Where the file is stored</source>
        <translation>Wo die Datei gespeichert ist</translation>
    </message>
    <message>
        <source>Where threads run on Linux computers with several CPU sockets.</source>
        <translation>Wo Threads auf Linux-Computern mit mehreren CPU-Sockeln laufen.</translation>
    </message>
    <message>
        <source>Where “Remember facts” is on, a model suggests some in a chat, and you confirm them. You can add some here.</source>
        <translation>Wo „Angaben merken“ an ist, schlägt ein Modell welche in einem Chat vor, und du bestätigst sie. Hier lassen sich auch eigene hinzufügen.</translation>
    </message>
    <message>
        <source>Whether reasoning models think before answering. More thinking takes longer.</source>
        <translation>Ob Reasoning-Modelle vor der Antwort nachdenken. Mehr Nachdenken dauert länger.</translation>
    </message>
    <message>
        <source>Whether the file matches its checksum</source>
        <translation>Ob die Datei zu ihrer Prüfsumme passt</translation>
    </message>
    <message>
        <source>Which tools models may use, in which folders, and which calls ask you first.</source>
        <translation>Welche Werkzeuge Modelle verwenden dürfen, in welchen Ordnern, und welche Aufrufe dich vorher fragen.</translation>
    </message>
    <message>
        <source>While a response is written: stop it there, or continue without the oldest tokens.</source>
        <translation>Während eine Antwort entsteht: dort anhalten oder ohne die ältesten Tokens weiterschreiben.</translation>
    </message>
    <message>
        <source>Whole context</source>
        <translation>Ganzer Kontext</translation>
    </message>
    <message>
        <source>Whole documents up to</source>
        <translation>Ganze Dokumente bis</translation>
    </message>
    <message>
        <source>Whole words</source>
        <translation>Ganze Wörter</translation>
    </message>
    <message>
        <source>Wide</source>
        <translation>Breit</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Fenster</translation>
    </message>
    <message numerus="yes">
        <source>With %n document ({size})|With %n documents ({size})</source>
        <translation>
            <numerusform>Mit %n Dokument ({size})</numerusform>
            <numerusform>Mit %n Dokumenten ({size})</numerusform>
        </translation>
    </message>
    <message>
        <source>With a draft model</source>
        <translation>Mit einem Entwurfsmodell</translation>
    </message>
    <message>
        <source>With an embedding model, passages are also found by meaning. Without one, by keywords only.</source>
        <translation>Mit einem Embedding-Modell werden Textstellen auch nach ihrer Bedeutung gefunden, ohne nur nach Stichwörtern.</translation>
    </message>
    <message>
        <source>With headings, lists, tables, code, formulas and images.</source>
        <translation>Mit Überschriften, Listen, Tabellen, Code, Formeln und Bildern.</translation>
    </message>
    <message>
        <source>With problems</source>
        <translation>Mit Problemen</translation>
    </message>
    <message>
        <source>With this call the chat has private data, text by others and effects outside, so text by others could send your data away. It needs your permission each time.</source>
        <translation>Mit diesem Aufruf hat der Chat private Daten, fremden Text und Wirkung nach außen; fremder Text könnte so deine Daten versenden. Er braucht jedes Mal deine Erlaubnis.</translation>
    </message>
    <message>
        <source>With “ollama pull”. The access token needs the scope “manage”.</source>
        <translation>Mit „ollama pull“. Das Zugriffstoken braucht den Bereich „manage“.</translation>
    </message>
    <message>
        <source>Without archived</source>
        <translation>Ohne archivierte</translation>
    </message>
    <message>
        <source>Without text</source>
        <translation>Ohne Text</translation>
    </message>
    <message>
        <source>Word</source>
        <translation>Word</translation>
    </message>
    <message>
        <source>Words, which you can change</source>
        <translation>Worte, die du ändern kannst</translation>
    </message>
    <message>
        <source>Workbook</source>
        <translation>Arbeitsmappe</translation>
    </message>
    <message>
        <source>Working…</source>
        <translation>Arbeitet…</translation>
    </message>
    <message>
        <source>Works through mathematics and logic step by step, and shows its steps.</source>
        <translation>Arbeitet Mathematik und Logik Schritt für Schritt durch und zeigt seine Schritte.</translation>
    </message>
    <message>
        <source>Wrap long lines</source>
        <translation>Zeilenumbruch</translation>
    </message>
    <message>
        <source>Wrap long lines, {name}</source>
        <translation>Zeilenumbruch, {name}</translation>
    </message>
    <message>
        <source>Write a message first</source>
        <translation>Schreib zuerst eine Nachricht</translation>
    </message>
    <message>
        <source>Write a schema or grammar, or start from an example.</source>
        <translation>Schreib ein Schema oder eine Grammatik, oder beginne mit einem Beispiel.</translation>
    </message>
    <message>
        <source>Write a short, friendly note to thank a neighbour for watering my plants.</source>
        <translation>Schreib einen kurzen, freundlichen Dank an eine Nachbarin, die meine Pflanzen gegossen hat.</translation>
    </message>
    <message>
        <source>Write a short, polite reply to the e-mail below. What I want to say: {{answer}}

E-mail:
{{e-mail}}</source>
        <translation>Schreib eine kurze, höfliche Antwort auf die E-Mail unten. Was ich sagen möchte: {{Antwort}}

E-Mail:
{{E-Mail}}</translation>
    </message>
    <message>
        <source>Write file</source>
        <translation>Datei schreiben</translation>
    </message>
    <message>
        <source>Write to this address?</source>
        <translation>An diese Adresse schreiben?</translation>
    </message>
    <message>
        <source>Writes what is selected into the message field</source>
        <translation>Schreibt die Auswahl in das Nachrichtenfeld</translation>
    </message>
    <message>
        <source>Writes, completes and explains code in many programming languages.</source>
        <translation>Schreibt, ergänzt und erklärt Code in vielen Programmiersprachen.</translation>
    </message>
    <message>
        <source>Wrong output: “{beginning}” continued as “{text}”.</source>
        <translation>Falsche Ausgabe: „{beginning}“ wurde fortgesetzt mit „{text}“.</translation>
    </message>
    <message>
        <source>XTC only drops tokens more likely than this.</source>
        <translation>XTC lässt nur Tokens aus, die wahrscheinlicher sind als dieser Wert.</translation>
    </message>
    <message>
        <source>XTC probability</source>
        <translation>XTC-Wahrscheinlichkeit</translation>
    </message>
    <message>
        <source>XTC threshold</source>
        <translation>XTC-Schwelle</translation>
    </message>
    <message>
        <source>YaRN</source>
        <translation>YaRN</translation>
    </message>
    <message>
        <source>Yellow</source>
        <translation>Gelb</translation>
    </message>
    <message>
        <source>Yes or no</source>
        <translation>Ja oder Nein</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>Gestern</translation>
    </message>
    <message>
        <source>You</source>
        <translation>Du</translation>
    </message>
    <message>
        <source>You are a friendly and careful assistant. Today is {{date}}.
Answer the question first, in plain words and short paragraphs. Add an example where it helps.
If you are not sure, say so. If the question can mean several things, ask one short question.</source>
        <translation>Du bist ein freundlicher und sorgfältiger Assistent. Heute ist {{date}}.
Beantworte zuerst die Frage, in einfachen Worten und kurzen Absätzen. Gib ein Beispiel, wo es hilft.
Wenn du nicht sicher bist, sag es. Wenn die Frage mehreres bedeuten kann, stell eine kurze Rückfrage.</translation>
    </message>
    <message>
        <source>You are a patient teacher of {{subject}}. Explain one idea at a time, in simple words, with a small example.
After each step ask one short question to see whether it was understood, and wait for the answer. Correct mistakes kindly and say why.</source>
        <translation>Du bist ein geduldiger Lehrer für {{Fach}}. Erkläre einen Gedanken nach dem anderen, in einfachen Worten, mit einem kleinen Beispiel.
Stell nach jedem Schritt eine kurze Frage, um zu sehen, ob er verstanden wurde, und warte auf die Antwort. Korrigiere Fehler freundlich und sag, warum.</translation>
    </message>
    <message>
        <source>You are a translator. Translate every message into {{target language}}.
Write the translation and nothing else: no notes, no quotation marks, no answer to what it says.
Keep the tone, the line breaks, names, numbers and code as they are.</source>
        <translation>Du bist Übersetzer. Übersetze jede Nachricht in diese Sprache: {{Zielsprache}}.
Schreib die Übersetzung und sonst nichts: keine Anmerkungen, keine Anführungszeichen, keine Antwort auf den Inhalt.
Behalte Ton, Zeilenumbrüche, Namen, Zahlen und Code bei.</translation>
    </message>
    <message>
        <source>You can quit at any time: it continues at the next start, and nothing is lost.</source>
        <translation>Beenden ist jederzeit möglich: Beim nächsten Start geht es weiter, und nichts geht verloren.</translation>
    </message>
    <message>
        <source>You have to sign in.</source>
        <translation>Sie müssen sich anmelden.</translation>
    </message>
    <message>
        <source>You help to find ideas. For every topic write a numbered list of eight ideas that differ from each other: some obvious, some bold, one strange.
One line each: the idea, then why it could work. End with the one that you would try first.</source>
        <translation>Du hilfst, Ideen zu finden. Schreib zu jedem Thema eine nummerierte Liste von acht Ideen, die sich voneinander unterscheiden: manche naheliegend, manche kühn, eine seltsam.
Je eine Zeile: die Idee, dann warum sie klappen könnte. Ende mit der, die du zuerst versuchen würdest.</translation>
    </message>
    <message>
        <source>You improve texts. Rewrite every message so that it is clear, correct and {{tone}}.
Keep the meaning, the facts, the names and the language of the original. Write the new text and nothing else.</source>
        <translation>Du verbesserst Texte. Schreib jede Nachricht so um, dass sie klar, richtig und {{Ton}} ist.
Behalte Sinn, Fakten, Namen und Sprache des Originals bei. Schreib den neuen Text und sonst nichts.</translation>
    </message>
    <message>
        <source>You read texts and take facts out of them. Answer with one JSON object.
Use only what the text says. Where it does not say something, write &quot;&quot; or [].</source>
        <translation>Du liest Texte und ziehst Fakten heraus. Antworte mit einem JSON-Objekt.
Benutze nur, was im Text steht. Wo er etwas nicht sagt, schreib &quot;&quot; oder [].</translation>
    </message>
    <message>
        <source>You review code like an experienced colleague.
First list real bugs and security problems: name the line or function, say what goes wrong and when, and show the corrected code in a code block.
Then, only if it is worth it, say what would be simpler or easier to read.
Do not praise, do not repeat the code, do not invent problems. If it is fine, say so in one sentence.</source>
        <translation>Du prüfst Code wie ein erfahrener Kollege.
Nenne zuerst echte Fehler und Sicherheitslücken: nenne die Zeile oder Funktion, sag, was wann schiefgeht, und zeig den verbesserten Code in einem Codeblock.
Sag danach, nur wenn es sich lohnt, was einfacher oder lesbarer wäre.
Lobe nicht, wiederhole den Code nicht, erfinde keine Probleme. Wenn er in Ordnung ist, sag das in einem Satz.</translation>
    </message>
    <message>
        <source>You summarise texts. For every text you are given, write one sentence with the main point, then {{length}} with what matters most.
Use only what the text says. Keep names, numbers and dates exact. Write in the language of the text.</source>
        <translation>Du fasst Texte zusammen. Schreib zu jedem Text einen Satz mit der Hauptsache, dann {{Länge}} mit dem Wichtigsten.
Benutze nur, was im Text steht. Lass Namen, Zahlen und Daten genau. Schreib in der Sprache des Textes.</translation>
    </message>
    <message>
        <source>You: </source>
        <translation>Du: </translation>
    </message>
    <message>
        <source>You: {words}</source>
        <translation>Du: {words}</translation>
    </message>
    <message>
        <source>Your GPU needs a runtime with {backends}. Fireside’s releases may have one: it is downloaded when you click, and its signature is checked.</source>
        <translation>Deine GPU braucht eine Runtime mit {backends}. Vielleicht gibt es sie unter den Veröffentlichungen von Fireside: Heruntergeladen wird sie erst auf deinen Klick, und ihre Signatur wird geprüft.</translation>
    </message>
    <message>
        <source>Your browser will open a page at:</source>
        <translation>Dein Browser öffnet eine Seite bei:</translation>
    </message>
    <message>
        <source>Your chats are locked. Unlock them with your passphrase first.</source>
        <translation>Die Chats sind gesperrt. Zuerst mit der Passphrase entsperren.</translation>
    </message>
    <message>
        <source>Your chats, documents, saved prompts and backups are encrypted on this computer.</source>
        <translation>Chats, Dokumente, gespeicherte Prompts und Sicherungen sind auf diesem Computer verschlüsselt.</translation>
    </message>
    <message>
        <source>Your data is being encrypted or decrypted. Open the Fireside window to finish that.</source>
        <translation>Die Daten werden gerade ver- oder entschlüsselt. Das Fenster von Fireside öffnen, um das abzuschließen.</translation>
    </message>
    <message>
        <source>Your draft</source>
        <translation>Dein Entwurf</translation>
    </message>
    <message>
        <source>Your first message is answered when this is done; everything else works already.</source>
        <translation>Deine erste Nachricht wird danach beantwortet; alles andere geht schon jetzt.</translation>
    </message>
    <message>
        <source>Your own questions</source>
        <translation>Eigene Fragen</translation>
    </message>
    <message>
        <source>Your system’s package manager updates Fireside.</source>
        <translation>Die Paketverwaltung deines Systems aktualisiert Fireside.</translation>
    </message>
    <message>
        <source>Your text, clearer and in the tone you want</source>
        <translation>Dein Text, klarer und im gewünschten Ton</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>Vergrößern</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>Verkleinern</translation>
    </message>
    <message>
        <source>[Audio not imported]</source>
        <translation>[Audio nicht importiert]</translation>
    </message>
    <message>
        <source>[File not included in export: {name}]</source>
        <translation>[Datei nicht im Export enthalten: {name}]</translation>
    </message>
    <message>
        <source>[Image not included in export]</source>
        <translation>[Bild nicht im Export enthalten]</translation>
    </message>
    <message>
        <source>[LM Studio file: {name}]</source>
        <translation>[LM-Studio-Datei: {name}]</translation>
    </message>
    <message>
        <source>[Video not imported]</source>
        <translation>[Video nicht importiert]</translation>
    </message>
    <message numerus="yes">
        <source>[image: %n token]|[image: %n tokens]</source>
        <translation>
            <numerusform>[Bild: %n Token]</numerusform>
            <numerusform>[Bild: %n Tokens]</numerusform>
        </translation>
    </message>
    <message>
        <source>[image: {name}]</source>
        <translation>[Bild: {name}]</translation>
    </message>
    <message>
        <source>[image]</source>
        <translation>[Bild]</translation>
    </message>
    <message>
        <source>a PDF is written by the window alone.</source>
        <translation>Ein PDF schreibt nur das Fenster.</translation>
    </message>
    <message>
        <source>a call is required and there are no tools.</source>
        <translation>Ein Aufruf ist verlangt, und es gibt keine Werkzeuge.</translation>
    </message>
    <message>
        <source>a few minutes</source>
        <translation>ein paar Minuten</translation>
    </message>
    <message>
        <source>a few seconds</source>
        <translation>ein paar Sekunden</translation>
    </message>
    <message>
        <source>a folder that cannot be opened</source>
        <translation>ein Ordner, der sich nicht öffnen lässt</translation>
    </message>
    <message>
        <source>a formula</source>
        <translation>eine Formel</translation>
    </message>
    <message>
        <source>a full path is required.</source>
        <translation>Ein vollständiger Pfad ist nötig.</translation>
    </message>
    <message>
        <source>a link</source>
        <translation>ein Link</translation>
    </message>
    <message>
        <source>a memory access error (SIGSEGV): a bug in llama.cpp or a damaged model file.</source>
        <translation>Speicherzugriffsfehler (SIGSEGV), ein Fehler in llama.cpp oder eine beschädigte Modelldatei.</translation>
    </message>
    <message>
        <source>a memory access error (access violation): a bug in llama.cpp or a damaged model file.</source>
        <translation>Speicherzugriffsfehler (Zugriffsverletzung), ein Fehler in llama.cpp oder eine beschädigte Modelldatei.</translation>
    </message>
    <message>
        <source>a model can have at most {most}.</source>
        <translation>Ein Modell kann höchstens {most} haben.</translation>
    </message>
    <message>
        <source>a model is being verified. Wait until that finishes.</source>
        <translation>Ein Modell wird gerade geprüft. Warte, bis das fertig ist.</translation>
    </message>
    <message>
        <source>a move is already in progress.</source>
        <translation>Sie werden schon verschoben.</translation>
    </message>
    <message>
        <source>a name that is no text</source>
        <translation>ein Name, der kein Text ist</translation>
    </message>
    <message>
        <source>a number with very many digits</source>
        <translation>eine Zahl mit sehr vielen Stellen</translation>
    </message>
    <message>
        <source>a remembered fact is from a message that is not there.</source>
        <translation>eine gemerkte Angabe stammt aus einer Nachricht, die es nicht gibt.</translation>
    </message>
    <message>
        <source>a required library could not be initialised.</source>
        <translation>Eine benötigte Bibliothek ließ sich nicht initialisieren.</translation>
    </message>
    <message>
        <source>a required library has the wrong version.</source>
        <translation>Eine benötigte Bibliothek hat die falsche Version.</translation>
    </message>
    <message>
        <source>a required library is missing.</source>
        <translation>Eine benötigte Bibliothek fehlt.</translation>
    </message>
    <message>
        <source>a stack overflow: a bug in llama.cpp or a damaged model file.</source>
        <translation>Stapelüberlauf, ein Fehler in llama.cpp oder eine beschädigte Modelldatei.</translation>
    </message>
    <message>
        <source>a store of keys or passwords</source>
        <translation>ein Speicher für Schlüssel oder Passwörter</translation>
    </message>
    <message>
        <source>a summary is already being written.</source>
        <translation>Es wird schon eine Zusammenfassung geschrieben.</translation>
    </message>
    <message>
        <source>a system call was not permitted (SIGSYS).</source>
        <translation>Ein Systemaufruf war nicht erlaubt (SIGSYS).</translation>
    </message>
    <message>
        <source>a text contains a NUL character.</source>
        <translation>Ein Text enthält ein NUL-Zeichen.</translation>
    </message>
    <message>
        <source>a text contains an invalid character (a lone surrogate).</source>
        <translation>Ein Text enthält ein ungültiges Zeichen (ein einzelnes Surrogat).</translation>
    </message>
    <message>
        <source>a text in it is too long.</source>
        <translation>ein Text darin ist zu lang.</translation>
    </message>
    <message>
        <source>a tool needs a name of 1 to 256 characters.</source>
        <translation>Ein Werkzeug braucht einen Namen mit 1 bis 256 Zeichen.</translation>
    </message>
    <message>
        <source>a whole number from {least} to {most}{unit}</source>
        <translation>eine ganze Zahl von {least} bis {most}{unit}</translation>
    </message>
    <message numerus="yes">
        <source>about %n day|about %n days</source>
        <translation>
            <numerusform>etwa %n Tag</numerusform>
            <numerusform>etwa %n Tage</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>about %n hour|about %n hours</source>
        <translation>
            <numerusform>etwa %n Stunde</numerusform>
            <numerusform>etwa %n Stunden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>about %n minute|about %n minutes</source>
        <translation>
            <numerusform>etwa %n Minute</numerusform>
            <numerusform>etwa %n Minuten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>about %n page|about %n pages</source>
        <translation>
            <numerusform>etwa %n Seite</numerusform>
            <numerusform>etwa %n Seiten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>about %n second|about %n seconds</source>
        <translation>
            <numerusform>etwa %n Sekunde</numerusform>
            <numerusform>etwa %n Sekunden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>about %n token|about %n tokens</source>
        <translation>
            <numerusform>etwa %n Token</numerusform>
            <numerusform>etwa %n Tokens</numerusform>
        </translation>
    </message>
    <message>
        <source>about 1 page</source>
        <translation>etwa 1 Seite</translation>
    </message>
    <message>
        <source>about {count} tokens</source>
        <translation>etwa {count} Tokens</translation>
    </message>
    <message>
        <source>about {n}½ hours</source>
        <translation>etwa {n}½ Stunden</translation>
    </message>
    <message>
        <source>about {used} / {size}</source>
        <translation>etwa {used} / {size}</translation>
    </message>
    <message>
        <source>accent color; highlight colour; colors</source>
        <translation>Akzentfarbe; Farbe; Farben</translation>
    </message>
    <message>
        <source>access token account licence private gated keyring sign in hugging face hf_token api key</source>
        <translation>zugriffstoken token konto lizenz privat gesperrt schlüsselbund anmelden hugging face hf_token api schlüssel</translation>
    </message>
    <message>
        <source>adaptive_p_decay; adaptive-p decay</source>
        <translation>Gedächtnis von Adaptive P</translation>
    </message>
    <message>
        <source>adaptive_p_target; adaptive-p; adaptive sampling</source>
        <translation>adaptives Sampling; Ziel von Adaptive P</translation>
    </message>
    <message>
        <source>add model servers other engines remote server cluster api key base url openai vllm sglang ollama lm studio llama-server openrouter provider cloud find look network mdns fireside pair</source>
        <translation>modellserver hinzufügen andere engines entfernter server cluster api schlüssel basis-url openai vllm sglang ollama lm studio llama-server openrouter anbieter cloud finden suchen netzwerk mdns fireside koppeln</translation>
    </message>
    <message>
        <source>all</source>
        <comment>layers</comment>
        <translation>alle</translation>
    </message>
    <message>
        <source>all layers on the GPU</source>
        <translation>alle Schichten auf der GPU</translation>
    </message>
    <message>
        <source>all shares are 0.</source>
        <translation>Alle Anteile sind 0.</translation>
    </message>
    <message>
        <source>allowed in this chat</source>
        <translation>in diesem Chat erlaubt</translation>
    </message>
    <message>
        <source>allowed once</source>
        <translation>einmal erlaubt</translation>
    </message>
    <message>
        <source>always allowed</source>
        <translation>immer erlaubt</translation>
    </message>
    <message>
        <source>an image cannot be generated.</source>
        <translation>Ein Bild lässt sich nicht generieren.</translation>
    </message>
    <message>
        <source>an internal error ({kind}).</source>
        <translation>ein interner Fehler ({kind}).</translation>
    </message>
    <message>
        <source>an internal error occurred.</source>
        <translation>Ein interner Fehler ist aufgetreten.</translation>
    </message>
    <message>
        <source>an invalid calculation (SIGFPE): a bug in llama.cpp or a damaged model file.</source>
        <translation>ungültige Berechnung (SIGFPE), ein Fehler in llama.cpp oder eine beschädigte Modelldatei.</translation>
    </message>
    <message>
        <source>an invalid calculation: a bug in llama.cpp or a damaged model file.</source>
        <translation>ungültige Berechnung, ein Fehler in llama.cpp oder eine beschädigte Modelldatei.</translation>
    </message>
    <message numerus="yes">
        <source>and %n more message|and %n more messages</source>
        <translation>
            <numerusform>und %n weitere Nachricht</numerusform>
            <numerusform>und %n weitere Nachrichten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more.|and %n more.</source>
        <translation>
            <numerusform>und %n weitere.</numerusform>
            <numerusform>und %n weitere.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more|and %n more</source>
        <translation>
            <numerusform>und %n weitere</numerusform>
            <numerusform>und %n weitere</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n older fact|and %n older facts</source>
        <translation>
            <numerusform>und %n ältere Angabe</numerusform>
            <numerusform>und %n ältere Angaben</numerusform>
        </translation>
    </message>
    <message>
        <source>another branch starts here</source>
        <translation>hier beginnt ein anderer Zweig</translation>
    </message>
    <message>
        <source>another file of this model would get the same name.</source>
        <translation>Eine andere Datei dieses Modells bekäme denselben Namen.</translation>
    </message>
    <message>
        <source>answer of {model}</source>
        <translation>Antwort von {model}</translation>
    </message>
    <message>
        <source>any number</source>
        <translation>jede Zahl</translation>
    </message>
    <message>
        <source>api key web search brave tavily kagi keyring tools internet</source>
        <translation>api schlüssel key websuche suche brave tavily kagi schlüsselbund werkzeuge internet</translation>
    </message>
    <message>
        <source>api server; openai api; base url</source>
        <translation>API-Server; OpenAI-API; Basis-URL</translation>
    </message>
    <message>
        <source>archived</source>
        <translation>archiviert</translation>
    </message>
    <message>
        <source>artifacts; canvas; preview; title; file name; web page; document</source>
        <translation>artefakte; canvas; vorschau; titel; dateiname; webseite; dokument</translation>
    </message>
    <message>
        <source>at most {limit} entries.</source>
        <translation>höchstens {limit} Einträge.</translation>
    </message>
    <message>
        <source>at most {limit} texts.</source>
        <translation>höchstens {limit} Texte.</translation>
    </message>
    <message>
        <source>audio</source>
        <translation>Audio</translation>
    </message>
    <message>
        <source>auto backup; daily backup; save chats</source>
        <translation>automatische Sicherung; tägliche Sicherung; Chats sichern</translation>
    </message>
    <message>
        <source>auto lock; lock automatically; timeout; idle; screen lock; passphrase; password</source>
        <translation>automatisch sperren; Zeitlimit; untätig; Bildschirmsperre; Passphrase; Passwort</translation>
    </message>
    <message>
        <source>auto update; automatic updates; look for updates; new version; upgrade</source>
        <translation>Auto-Update; automatische Updates; nach Updates suchen; neue Version; Upgrade; Aktualisierung</translation>
    </message>
    <message>
        <source>autoload; load model on startup; preload; auto load last model</source>
        <translation>Modell beim Start laden; automatisch laden; vorladen</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>automatisch</translation>
    </message>
    <message>
        <source>backup location; backup directory; backup path</source>
        <translation>Sicherungsordner; Ort der Sicherungen</translation>
    </message>
    <message>
        <source>backups copy save restore undo safety</source>
        <translation>sicherung sicherungen kopie sichern speichern wiederherstellen zurückholen backup</translation>
    </message>
    <message>
        <source>bandwidth; throttle; download limit; rate limit</source>
        <translation>Bandbreite; Drosselung; Tempolimit; Downloads begrenzen</translation>
    </message>
    <message>
        <source>barge-in; talk; hands-free; voice mode</source>
        <translation>Unterbrechen; Gespräch; freihändig; Sprachmodus</translation>
    </message>
    <message>
        <source>batch size; n_batch; num_batch; evaluation batch size</source>
        <translation>Batch-Größe; Stapelgröße</translation>
    </message>
    <message>
        <source>being read…</source>
        <translation>wird gelesen…</translation>
    </message>
    <message>
        <source>by you</source>
        <translation>von dir</translation>
    </message>
    <message>
        <source>by {owner}</source>
        <translation>von {owner}</translation>
    </message>
    <message>
        <source>cache_reuse; n_cache_reuse; KV shifting; chunk reuse</source>
        <translation>KV-Verschiebung; Teile wiederverwenden</translation>
    </message>
    <message>
        <source>cache_type_k_draft; ctkd; draft kv cache</source>
        <translation>KV-Cache des Entwurfsmodells</translation>
    </message>
    <message>
        <source>cache_type_v_draft; ctvd; draft kv cache</source>
        <translation>KV-Cache des Entwurfsmodells</translation>
    </message>
    <message>
        <source>calculated for a context of {count} tokens</source>
        <translation>berechnet für einen Kontext von {count} Tokens</translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation>nicht lesbar</translation>
    </message>
    <message>
        <source>charts vega lite plot diagram preview component download</source>
        <translation>Grafiken Vega Lite Diagramm Plot Vorschau Komponente herunterladen</translation>
    </message>
    <message>
        <source>chat template; jinja; prompt template; prompt format</source>
        <translation>Chat-Vorlage; Prompt-Vorlage; Prompt-Format</translation>
    </message>
    <message>
        <source>chat titles; auto title; generate titles; rename chats automatically</source>
        <translation>Chat-Titel; Titel erzeugen; automatische Titel; Chats automatisch benennen</translation>
    </message>
    <message>
        <source>chat_template_kwargs; jinja variables; template kwargs</source>
        <translation>Vorlagenwerte; Argumente der Vorlage</translation>
    </message>
    <message>
        <source>check for updates; version; licences</source>
        <translation>nach Updates suchen; Version; Lizenzen</translation>
    </message>
    <message>
        <source>choice of one model</source>
        <translation>Auswahl eines Modells</translation>
    </message>
    <message>
        <source>choose a file first.</source>
        <translation>Wähle zuerst eine Datei.</translation>
    </message>
    <message>
        <source>chosen</source>
        <translation>gewählt</translation>
    </message>
    <message>
        <source>chosen  {percent}</source>
        <translation>gewählt  {percent}</translation>
    </message>
    <message>
        <source>closed</source>
        <comment>as a folder is</comment>
        <translation>zugeklappt</translation>
    </message>
    <message>
        <source>code interpreter; run code; sandbox; charts; plot; data analysis; pandas; excel</source>
        <translation>Code-Interpreter; Code ausführen; Sandbox; Diagramme; Datenanalyse; pandas; Excel</translation>
    </message>
    <message>
        <source>collection</source>
        <translation>Sammlung</translation>
    </message>
    <message>
        <source>compact mode; spacing; row height</source>
        <translation>kompakt; Abstände; Zeilenhöhe</translation>
    </message>
    <message>
        <source>compare two to four answers.</source>
        <translation>Zwei bis vier Antworten lassen sich vergleichen.</translation>
    </message>
    <message>
        <source>compiling it takes too long.</source>
        <translation>Das Übersetzen dauert zu lange.</translation>
    </message>
    <message>
        <source>concurrent downloads; parallel downloads; simultaneous downloads</source>
        <translation>gleichzeitige Downloads; parallele Downloads</translation>
    </message>
    <message>
        <source>connection refused.</source>
        <translation>Verbindung abgelehnt.</translation>
    </message>
    <message>
        <source>connection test hub reach network address proxy certificates</source>
        <translation>verbindung testen hub hugging face erreichbar netzwerk adresse proxy zertifikate</translation>
    </message>
    <message>
        <source>connections network privacy traffic requests hosts log telemetry internet</source>
        <translation>verbindungen netzwerk datenschutz verkehr anfragen hosts protokoll telemetrie internet connections privacy</translation>
    </message>
    <message>
        <source>connections; network log; traffic</source>
        <translation>Verbindungen; Netzwerkprotokoll; Datenverkehr</translation>
    </message>
    <message numerus="yes">
        <source>context length %n|context length %n</source>
        <translation>
            <numerusform>Kontextlänge %n</numerusform>
            <numerusform>Kontextlänge %n</numerusform>
        </translation>
    </message>
    <message>
        <source>context length {fewer} instead of {more}</source>
        <translation>Kontextlänge {fewer} statt {more}</translation>
    </message>
    <message>
        <source>context length; context window; n_ctx; num_ctx; ctx-size; max context</source>
        <translation>Kontextlänge; Kontextgröße; Kontextfenster; maximaler Kontext</translation>
    </message>
    <message>
        <source>context not reported</source>
        <translation>Kontext nicht angegeben</translation>
    </message>
    <message>
        <source>context overflow policy; truncate middle; rolling window; compact; summarise chat; chat too long</source>
        <translation>Kontextüberlauf; Verlauf kürzen; zusammenfassen; Chat zu lang</translation>
    </message>
    <message>
        <source>context shift; rolling window; context full; context overflow</source>
        <translation>Kontext voll; Kontext verschieben; gleitendes Fenster</translation>
    </message>
    <message>
        <source>continuing an answer</source>
        <translation>das Fortsetzen einer Antwort</translation>
    </message>
    <message>
        <source>control vector; control_vector; steering vector</source>
        <translation>Steuervektor; Steuervektoren; Kontrollvektor</translation>
    </message>
    <message>
        <source>control_vector_layer_range; steering layers</source>
        <translation>Schichten der Steuervektoren</translation>
    </message>
    <message>
        <source>control_vector_scaled; steering strength</source>
        <translation>Stärke der Steuervektoren</translation>
    </message>
    <message>
        <source>counting tokens</source>
        <translation>das Zählen von Tokens</translation>
    </message>
    <message>
        <source>cpu affinity; cpu_mask; cpu_range; pin threads; core pinning</source>
        <translation>CPU-Bindung; Prozessorbindung; Kerne festlegen</translation>
    </message>
    <message>
        <source>cpu threads; n_threads; num_thread; thread count; cpu cores</source>
        <translation>CPU-Threads; Prozessorkerne; CPU-Kerne; Anzahl der Threads</translation>
    </message>
    <message>
        <source>create embeddings</source>
        <translation>Embeddings erzeugen</translation>
    </message>
    <message>
        <source>ctx_size_draft; draft context; draft context size</source>
        <translation>Kontext des Entwurfsmodells; Entwurfskontext</translation>
    </message>
    <message>
        <source>custom</source>
        <translation>benutzerdefiniert</translation>
    </message>
    <message>
        <source>d MMM</source>
        <comment>the pattern of a date, as Qt has it</comment>
        <translation>d. MMM</translation>
    </message>
    <message>
        <source>d MMM yyyy</source>
        <comment>the pattern of a date, as Qt has it</comment>
        <translation>d. MMM yyyy</translation>
    </message>
    <message>
        <source>dark mode; light mode; night mode; colour scheme; color scheme</source>
        <translation>Design; dunkel; Dunkelmodus; Nachtmodus; heller Modus; Farbschema</translation>
    </message>
    <message>
        <source>data directory; chat storage; database location; logs</source>
        <translation>Datenordner; Speicherort der Chats; Datenbank; Protokolle</translation>
    </message>
    <message>
        <source>data packages python pandas numpy matplotlib openpyxl code component download</source>
        <translation>datenpakete python pandas numpy matplotlib openpyxl code komponente herunterladen diagramme</translation>
    </message>
    <message>
        <source>dictation language; language of speech</source>
        <translation>Diktiersprache; Sprache des Gesprochenen</translation>
    </message>
    <message>
        <source>dictation; speech to text; stt; asr; whisper; voice input</source>
        <translation>Diktat; Diktieren; Spracherkennung; STT; Whisper; Spracheingabe</translation>
    </message>
    <message>
        <source>disable gpu; exclude gpu; CUDA_VISIBLE_DEVICES; devices</source>
        <translation>GPU abschalten; GPU ausschließen; Geräte</translation>
    </message>
    <message>
        <source>documents from {names}</source>
        <translation>Dokumente aus {names}</translation>
    </message>
    <message>
        <source>downloaded</source>
        <translation>heruntergeladen</translation>
    </message>
    <message>
        <source>draft model; speculative model; model_draft; assistant model</source>
        <translation>Entwurfsmodell; Draft-Modell; Hilfsmodell</translation>
    </message>
    <message>
        <source>draft_max; draft tokens; n_draft; draft n</source>
        <translation>Entwurfs-Token; vorausgeratene Token</translation>
    </message>
    <message>
        <source>dry_allowed_length</source>
        <translation>erlaubte DRY-Länge</translation>
    </message>
    <message>
        <source>dry_base</source>
        <translation>DRY-Basis</translation>
    </message>
    <message>
        <source>dry_multiplier; dry sampling; don’t repeat yourself</source>
        <translation>DRY-Stärke; wiederhole dich nicht</translation>
    </message>
    <message>
        <source>dry_penalty_last_n; dry range</source>
        <translation>DRY-Reichweite; DRY-Fenster</translation>
    </message>
    <message>
        <source>dry_sequence_breakers; sequence breakers</source>
        <translation>DRY-Trenner; Trennzeichen</translation>
    </message>
    <message>
        <source>dynamic temperature exponent; dynatemp_exponent</source>
        <translation>Exponent der dynamischen Temperatur</translation>
    </message>
    <message>
        <source>dynamic temperature; dynatemp_range; dynatemp</source>
        <translation>dynamische Temperatur; Temperaturbereich</translation>
    </message>
    <message>
        <source>each text has 1 to {limit} bytes.</source>
        <translation>jeder Text hat 1 bis {limit} Byte.</translation>
    </message>
    <message>
        <source>each text has 1 to {limit} characters.</source>
        <translation>jeder Text hat 1 bis {limit} Zeichen.</translation>
    </message>
    <message>
        <source>embedding</source>
        <translation>Embedding</translation>
    </message>
    <message>
        <source>embeddings</source>
        <translation>Embeddings</translation>
    </message>
    <message>
        <source>engines; add engine; remote engine; remote server; provider; vllm; sglang; openrouter</source>
        <translation>Engines; Engine hinzufügen; andere Engine; entfernter Server; Anbieter; vllm; sglang; openrouter</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>favourite</source>
        <translation>Favorit</translation>
    </message>
    <message>
        <source>fetch; browse; url; web browser; internet; online</source>
        <translation>abrufen; surfen; url; Browser; Internet; online</translation>
    </message>
    <message>
        <source>file not found.</source>
        <translation>Datei nicht gefunden.</translation>
    </message>
    <message>
        <source>files that you attached</source>
        <translation>angehängten Dateien</translation>
    </message>
    <message>
        <source>fireside about version build licences licenses changelog data folder location</source>
        <translation>fireside über version build lizenzen neuerungen änderungen datenordner speicherort</translation>
    </message>
    <message>
        <source>flash attention; flash_attn; fa</source>
        <translation>schnelle Attention</translation>
    </message>
    <message>
        <source>font size; zoom; UI scale; larger text</source>
        <translation>Schriftgröße; Zoom; Skalierung; größere Schrift</translation>
    </message>
    <message>
        <source>frequency_penalty; frequency</source>
        <translation>Häufigkeitsstrafe; Frequenzstrafe</translation>
    </message>
    <message>
        <source>friendly</source>
        <translation>freundlich</translation>
    </message>
    <message>
        <source>gated</source>
        <translation>zugangsbeschränkt</translation>
    </message>
    <message>
        <source>generate text</source>
        <translation>Text generieren</translation>
    </message>
    <message>
        <source>generating</source>
        <translation>wird generiert</translation>
    </message>
    <message>
        <source>gpu offload; gpu layers; n_gpu_layers; num_gpu; ngl; vram; cuda; metal; vulkan</source>
        <translation>GPU-Auslagerung; GPU-Schichten; Grafikkarte; Grafikspeicher; auf GPU auslagern</translation>
    </message>
    <message>
        <source>hardware devices gpu cuda vulkan metal vram runtime</source>
        <translation>hardware geräte gpu grafikkarte cuda vulkan metal vram runtime laufzeit</translation>
    </message>
    <message>
        <source>hidden</source>
        <translation>versteckt</translation>
    </message>
    <message>
        <source>high contrast; accessibility; readability</source>
        <translation>hoher Kontrast; Barrierefreiheit; Lesbarkeit</translation>
    </message>
    <message>
        <source>hugging face; huggingface; hf_endpoint; hf mirror; mirror; hub url</source>
        <translation>Hugging-Face-Adresse; Spiegelserver; Adresse des Hubs</translation>
    </message>
    <message>
        <source>image of unknown type</source>
        <translation>Bild unbekannter Art</translation>
    </message>
    <message>
        <source>image_max_tokens; vision tokens; image tokens; image resolution</source>
        <translation>Bild-Token; Bildauflösung; größte Bildgröße</translation>
    </message>
    <message>
        <source>image_min_tokens; vision tokens; image tokens; image resolution</source>
        <translation>Bild-Token; Bildauflösung; kleinste Bildgröße</translation>
    </message>
    <message>
        <source>import export chats chatgpt lm studio jan open webui transfer json</source>
        <translation>import export importieren exportieren chats chatgpt lm studio jan open webui übernehmen umziehen json</translation>
    </message>
    <message numerus="yes">
        <source>in %n part|in %n parts</source>
        <translation>
            <numerusform>in %n Teil</numerusform>
            <numerusform>in %n Teilen</numerusform>
        </translation>
    </message>
    <message>
        <source>in the current branch</source>
        <translation>im aktuellen Zweig</translation>
    </message>
    <message>
        <source>in: {place}</source>
        <translation>in: {place}</translation>
    </message>
    <message>
        <source>input device; audio input; mic</source>
        <translation>Eingabegerät; Audioeingang; Mikro</translation>
    </message>
    <message>
        <source>instructions of the project</source>
        <translation>Anweisungen des Projekts</translation>
    </message>
    <message>
        <source>internet search; browse; online; search engine; google</source>
        <translation>Internetsuche; surfen; online; Suchmaschine; google</translation>
    </message>
    <message>
        <source>it answers with HTTP {status}.</source>
        <translation>Antwort mit HTTP {status}.</translation>
    </message>
    <message>
        <source>it asks for too much.</source>
        <translation>Er fragt nach zu viel.</translation>
    </message>
    <message>
        <source>it builds a list without end</source>
        <translation>sie baut eine Liste ohne Ende</translation>
    </message>
    <message>
        <source>it builds a text without end</source>
        <translation>sie baut einen Text ohne Ende</translation>
    </message>
    <message>
        <source>it can be at most {limit} characters long.</source>
        <translation>Höchstens {limit} Zeichen sind möglich.</translation>
    </message>
    <message>
        <source>it cannot be checked: {reason}.</source>
        <translation>Nicht prüfbar: {reason}.</translation>
    </message>
    <message>
        <source>it cannot be followed</source>
        <translation>ihr lässt sich nicht folgen</translation>
    </message>
    <message>
        <source>it cannot be moved to the trash ({reason}).</source>
        <translation>Nicht in den Papierkorb zu legen ({reason}).</translation>
    </message>
    <message>
        <source>it cannot be opened</source>
        <translation>nicht zu öffnen</translation>
    </message>
    <message>
        <source>it cannot be opened ({reason}).</source>
        <translation>Sie lässt sich nicht öffnen ({reason}).</translation>
    </message>
    <message>
        <source>it cannot be read ({reason}).</source>
        <translation>nicht lesbar ({reason}).</translation>
    </message>
    <message>
        <source>it cannot be read. The log says more.</source>
        <translation>er ist nicht lesbar. Im Protokoll steht mehr.</translation>
    </message>
    <message>
        <source>it cannot generate text</source>
        <translation>es kann keinen Text generieren</translation>
    </message>
    <message>
        <source>it cannot leave an answer unfinished</source>
        <translation>sie kann keine Antwort offen lassen</translation>
    </message>
    <message>
        <source>it closed its connection to Fireside.</source>
        <translation>Er hat seine Verbindung zu Fireside geschlossen.</translation>
    </message>
    <message>
        <source>it computes a number without end</source>
        <translation>sie rechnet eine Zahl ohne Ende aus</translation>
    </message>
    <message>
        <source>it contains a NUL character, which ends a text for the model.</source>
        <translation>Darin steht ein NUL-Zeichen, das für das Modell einen Text beendet.</translation>
    </message>
    <message>
        <source>it contains a NUL character.</source>
        <translation>Darin steht ein NUL-Zeichen.</translation>
    </message>
    <message>
        <source>it contains a NUL character. Was a binary file pasted?</source>
        <translation>Er enthält ein NUL-Zeichen. Hast du eine Binärdatei eingefügt?</translation>
    </message>
    <message>
        <source>it contains an invalid character (a lone surrogate).</source>
        <translation>Es enthält ein ungültiges Zeichen (ein einzelnes Surrogat).</translation>
    </message>
    <message>
        <source>it contains an invalid character (a lone surrogate). Delete it or paste the text again.</source>
        <translation>Er enthält ein ungültiges Zeichen (ein einzelnes Surrogat). Lösche es oder füge den Text erneut ein.</translation>
    </message>
    <message>
        <source>it contains links that point outside its folder.</source>
        <translation>Es enthält Verknüpfungen, die aus dem Ordner hinauszeigen.</translation>
    </message>
    <message>
        <source>it contains names that point outside its folder.</source>
        <translation>Es enthält Namen, die aus dem Ordner hinauszeigen.</translation>
    </message>
    <message>
        <source>it contains only a vocabulary, no model.</source>
        <translation>Sie enthält nur ein Vokabular, kein Modell.</translation>
    </message>
    <message>
        <source>it could not be compiled.</source>
        <translation>sie ließ sich nicht übersetzen.</translation>
    </message>
    <message>
        <source>it could not be followed any further.</source>
        <translation>Weiter ließ sich dem nicht folgen.</translation>
    </message>
    <message>
        <source>it could not be read</source>
        <translation>sie konnte nicht gelesen werden</translation>
    </message>
    <message>
        <source>it could not be run.</source>
        <translation>Nicht ausführbar.</translation>
    </message>
    <message>
        <source>it could not be updated</source>
        <translation>ließ sich nicht aktualisieren</translation>
    </message>
    <message numerus="yes">
        <source>it crashed at start.|it crashed at start %n times in a row.</source>
        <translation>
            <numerusform>Absturz beim Start.</numerusform>
            <numerusform>%n Abstürze beim Start in Folge.</numerusform>
        </translation>
    </message>
    <message>
        <source>it did not accept the secret.</source>
        <translation>Das Geheimnis wurde nicht angenommen.</translation>
    </message>
    <message>
        <source>it did not delete the secret.</source>
        <translation>Das Geheimnis wurde nicht gelöscht.</translation>
    </message>
    <message>
        <source>it did not end within {n} seconds</source>
        <translation>sie war nach {n} Sekunden nicht fertig</translation>
    </message>
    <message>
        <source>it does not answer in JSON (PEP 691).</source>
        <translation>er antwortet nicht in JSON (PEP 691).</translation>
    </message>
    <message>
        <source>it does not belong to Fireside</source>
        <translation>sie gehört nicht zu Fireside</translation>
    </message>
    <message>
        <source>it does not have the file that this version needs.</source>
        <translation>er hat die Datei nicht, die diese Version braucht.</translation>
    </message>
    <message>
        <source>it does not say which architecture the model has.</source>
        <translation>Welche Architektur das Modell hat, steht nicht darin.</translation>
    </message>
    <message>
        <source>it does not say which part of the file it is.</source>
        <translation>Welcher Teil der Datei es ist, steht nicht dabei.</translation>
    </message>
    <message>
        <source>it ended before it had listed the devices. A graphics driver may be damaged.</source>
        <translation>Er endete, bevor er die Geräte aufgezählt hatte. Vielleicht ist ein Grafiktreiber beschädigt.</translation>
    </message>
    <message>
        <source>it ended in the middle of its answer.</source>
        <translation>es endete mitten in der Antwort.</translation>
    </message>
    <message>
        <source>it ended without a word</source>
        <translation>beendete sich ohne ein Wort</translation>
    </message>
    <message>
        <source>it ends in the middle of its header; the download is probably incomplete.</source>
        <translation>Sie endet mitten im Kopf; der Download ist wohl unvollständig.</translation>
    </message>
    <message>
        <source>it ends with a complete tool call.</source>
        <translation>Sie endet mit einem vollständigen Werkzeugaufruf.</translation>
    </message>
    <message>
        <source>it exited unexpectedly.</source>
        <translation>unerwartet beendet.</translation>
    </message>
    <message>
        <source>it exited with code {code}.</source>
        <translation>mit Exit-Code {code} beendet.</translation>
    </message>
    <message>
        <source>it exited with code {code}. Last message: “{line}”.</source>
        <translation>mit Exit-Code {code} beendet. Letzte Meldung: „{line}“.</translation>
    </message>
    <message>
        <source>it has an invalid version.</source>
        <translation>Die Version ist ungültig.</translation>
    </message>
    <message>
        <source>it has changed meanwhile.</source>
        <translation>Sie hat sich inzwischen geändert.</translation>
    </message>
    <message>
        <source>it has changed since.</source>
        <translation>sie wurde seitdem geändert.</translation>
    </message>
    <message>
        <source>it has expired, so a newer one may be held back.</source>
        <translation>Es ist abgelaufen; ein neueres wird vielleicht zurückgehalten.</translation>
    </message>
    <message>
        <source>it has more than {most} files in it.</source>
        <translation>Darin sind mehr als {most} Dateien.</translation>
    </message>
    <message>
        <source>it has more than {most} messages.</source>
        <translation>mehr als {most} Nachrichten darin.</translation>
    </message>
    <message>
        <source>it has more than {most} presets, or an unknown version.</source>
        <translation>Sie enthält mehr als {most} Presets oder hat eine unbekannte Version.</translation>
    </message>
    <message>
        <source>it has more than {n} million pixels.</source>
        <translation>es hat mehr als {n} Millionen Pixel.</translation>
    </message>
    <message>
        <source>it has no backend, not even for the CPU.</source>
        <translation>Es hat kein Backend, nicht einmal für die CPU.</translation>
    </message>
    <message>
        <source>it has no chats in a supported format.</source>
        <translation>Keine Chats in einem unterstützten Format.</translation>
    </message>
    <message>
        <source>it has no manifest.</source>
        <translation>Ihm fehlt das Manifest.</translation>
    </message>
    <message>
        <source>it has no pages.</source>
        <translation>Keine Seiten darin.</translation>
    </message>
    <message>
        <source>it has no possible time.</source>
        <translation>Die Zeit ist nicht möglich.</translation>
    </message>
    <message>
        <source>it has no search. Check the Hugging Face endpoint in the settings.</source>
        <translation>Dort gibt es keine Suche. Prüfe den Hugging-Face-Endpunkt in den Einstellungen.</translation>
    </message>
    <message>
        <source>it has no usable identifier (“origin”).</source>
        <translation>Eine brauchbare Kennung fehlt („origin“).</translation>
    </message>
    <message>
        <source>it has not listed the devices in time.</source>
        <translation>Die Geräte wurden nicht rechtzeitig aufgezählt.</translation>
    </message>
    <message>
        <source>it has only the draft heads (MTP) of a model. They work beside its file.</source>
        <translation>es hat nur die Entwurfsköpfe (MTP) eines Modells. Sie arbeiten neben dessen Datei.</translation>
    </message>
    <message>
        <source>it has too many documents.</source>
        <translation>sie hat zu viele Dokumente.</translation>
    </message>
    <message>
        <source>it holds characters that cannot be shown.</source>
        <translation>Darin sind Zeichen, die sich nicht zeigen lassen.</translation>
    </message>
    <message>
        <source>it holds definitions that no such document has.</source>
        <translation>es enthält Definitionen, die kein solches Dokument hat.</translation>
    </message>
    <message>
        <source>it holds more than {most}.</source>
        <translation>Darin ist mehr als {most}.</translation>
    </message>
    <message>
        <source>it holds no answer: “{excerpt}”</source>
        <translation>sie enthält keine Antwort: „{excerpt}“</translation>
    </message>
    <message>
        <source>it holds no servers.</source>
        <translation>Es enthält keine Server.</translation>
    </message>
    <message>
        <source>it holds text that is not text</source>
        <translation>darin steht Text, der kein Text ist</translation>
    </message>
    <message>
        <source>it holds text that is not text.</source>
        <translation>Darin steht Text, der kein Text ist.</translation>
    </message>
    <message>
        <source>it holds too much.</source>
        <translation>Er enthält zu viel.</translation>
    </message>
    <message>
        <source>it is a JSON text. The download probably ended on an error message.</source>
        <translation>Das ist ein JSON-Text. Der Download endete wohl auf einer Fehlermeldung.</translation>
    </message>
    <message>
        <source>it is a LoRA adapter for another model. It cannot chat on its own.</source>
        <translation>Das ist ein LoRA-Adapter für ein anderes Modell. Allein kann er nicht chatten.</translation>
    </message>
    <message>
        <source>it is a PyTorch file. Fireside needs the model as GGUF.</source>
        <translation>Das ist eine PyTorch-Datei. Fireside braucht das Modell als GGUF.</translation>
    </message>
    <message>
        <source>it is a drawing of Visio. Save as PDF and attach that.</source>
        <translation>Das ist eine Zeichnung von Visio. Speichere sie als PDF und hänge das an.</translation>
    </message>
    <message>
        <source>it is a folder.</source>
        <translation>Das ist ein Ordner.</translation>
    </message>
    <message>
        <source>it is a message in Outlook&apos;s own format. Save as EML or PDF and attach that.</source>
        <translation>Das ist eine Nachricht in Outlooks eigenem Format. Speichere sie als EML oder PDF und hänge das an.</translation>
    </message>
    <message>
        <source>it is a model. Add it to your models instead.</source>
        <translation>Das ist ein Modell. Füge es stattdessen deinen Modellen hinzu.</translation>
    </message>
    <message>
        <source>it is a program.</source>
        <translation>Das ist ein Programm.</translation>
    </message>
    <message>
        <source>it is a recording. Download speech recognition to have its text searched.</source>
        <translation>sie ist eine Aufnahme. Lade die Spracherkennung herunter, dann wird ihr Text durchsucht.</translation>
    </message>
    <message>
        <source>it is a safetensors file. Fireside needs the model as GGUF.</source>
        <translation>Das ist eine Safetensors-Datei. Fireside braucht das Modell als GGUF.</translation>
    </message>
    <message>
        <source>it is a web page. If your network requires sign-in, do that in your browser.</source>
        <translation>Das ist eine Webseite. Wenn dein Netzwerk eine Anmeldung verlangt, melde dich im Browser an.</translation>
    </message>
    <message>
        <source>it is a web page. The download probably ended on a sign-in or error page.</source>
        <translation>Das ist eine Webseite. Der Download endete wohl auf einer Anmelde- oder Fehlerseite.</translation>
    </message>
    <message>
        <source>it is a workbook in Excel&apos;s binary format. Save as XLSX and attach that.</source>
        <translation>Das ist eine Arbeitsmappe im Binärformat von Excel. Speichere sie als XLSX und hänge das an.</translation>
    </message>
    <message>
        <source>it is an archive with too many files in it.</source>
        <translation>Das ist ein Archiv mit zu vielen Dateien darin.</translation>
    </message>
    <message>
        <source>it is an archive. Extract it and attach its files.</source>
        <translation>Das ist ein Archiv. Entpacke es und hänge die Dateien an.</translation>
    </message>
    <message>
        <source>it is an archive. Extract it first, or download the model as GGUF.</source>
        <translation>Das ist ein Archiv. Entpacke es zuerst oder lade das Modell als GGUF herunter.</translation>
    </message>
    <message>
        <source>it is an image or video model. It cannot chat.</source>
        <translation>Das ist ein Bild- oder Videomodell. Es kann nicht chatten.</translation>
    </message>
    <message>
        <source>it is an importance matrix (imatrix), not a model.</source>
        <translation>Das ist eine Importance-Matrix (imatrix), kein Modell.</translation>
    </message>
    <message>
        <source>it is another part of the file.</source>
        <translation>Das ist ein anderer Teil der Datei.</translation>
    </message>
    <message>
        <source>it is audio or a video. Add the file itself to have it transcribed.</source>
        <translation>sie ist Audio oder ein Video. Füge die Datei selbst hinzu, dann wird sie transkribiert.</translation>
    </message>
    <message>
        <source>it is cut short</source>
        <translation>abgeschnitten</translation>
    </message>
    <message>
        <source>it is damaged or cut short ({reason}).</source>
        <translation>Beschädigt oder abgeschnitten ({reason}).</translation>
    </message>
    <message>
        <source>it is damaged or cut short.</source>
        <translation>er ist beschädigt oder abgeschnitten.</translation>
    </message>
    <message>
        <source>it is damaged or cut short; all before that was imported.</source>
        <translation>er ist beschädigt oder abgeschnitten; alles davor wurde importiert.</translation>
    </message>
    <message>
        <source>it is damaged, or in a format that cannot be read.</source>
        <translation>Beschädigt, oder in einem Format, das nicht gelesen werden kann.</translation>
    </message>
    <message>
        <source>it is damaged, or too complex to be read.</source>
        <translation>Beschädigt oder zu verschachtelt, um gelesen zu werden.</translation>
    </message>
    <message>
        <source>it is damaged, or too complex to be shown.</source>
        <translation>sie ist beschädigt oder zu komplex zum Anzeigen.</translation>
    </message>
    <message>
        <source>it is damaged.</source>
        <translation>Beschädigt.</translation>
    </message>
    <message>
        <source>it is damaged; only files in the library folder can be repaired.</source>
        <translation>Sie ist beschädigt; nur Dateien im Bibliotheksordner lassen sich reparieren.</translation>
    </message>
    <message>
        <source>it is empty</source>
        <translation>leer</translation>
    </message>
    <message>
        <source>it is empty.</source>
        <translation>leer.</translation>
    </message>
    <message>
        <source>it is from a newer version of Fireside</source>
        <translation>sie stammt aus einer neueren Version von Fireside</translation>
    </message>
    <message>
        <source>it is from a newer version of Fireside. Update Fireside to import it.</source>
        <translation>Sie stammt aus einer neueren Version von Fireside. Aktualisiere Fireside, um sie zu importieren.</translation>
    </message>
    <message>
        <source>it is in an old Office format. Save as PDF and attach that.</source>
        <translation>Das ist ein altes Office-Format. Speichere es als PDF und hänge das an.</translation>
    </message>
    <message>
        <source>it is in an old format of PowerPoint. Save as PPTX or PDF and attach that.</source>
        <translation>Das ist ein altes Format von PowerPoint. Speichere es als PPTX oder PDF und hänge das an.</translation>
    </message>
    <message>
        <source>it is in an old format of Word. Save as DOCX or PDF and attach that.</source>
        <translation>Das ist ein altes Format von Word. Speichere es als DOCX oder PDF und hänge das an.</translation>
    </message>
    <message>
        <source>it is in big-endian format, which is not supported.</source>
        <translation>Big-Endian-Format, das nicht unterstützt wird.</translation>
    </message>
    <message>
        <source>it is in the old GGML format. Download the model as GGUF.</source>
        <translation>Sie ist im alten GGML-Format. Lade das Modell als GGUF herunter.</translation>
    </message>
    <message>
        <source>it is invalid.</source>
        <translation>Ungültig.</translation>
    </message>
    <message>
        <source>it is larger than 64 MB.</source>
        <translation>Die Datei ist größer als 64 MB.</translation>
    </message>
    <message>
        <source>it is larger than {most} MB</source>
        <translation>größer als {most} MB</translation>
    </message>
    <message>
        <source>it is larger than {most} MB.</source>
        <translation>größer als {most} MB.</translation>
    </message>
    <message>
        <source>it is larger than {most}.</source>
        <translation>größer als {most}.</translation>
    </message>
    <message>
        <source>it is larger than {n} MB.</source>
        <translation>sie ist größer als {n} MB.</translation>
    </message>
    <message>
        <source>it is larger than {n} MiB.</source>
        <translation>es ist größer als {n} MiB.</translation>
    </message>
    <message>
        <source>it is llama.cpp {version}; {needed} is required.</source>
        <translation>Das ist llama.cpp {version}; {needed} ist nötig.</translation>
    </message>
    <message>
        <source>it is longer than {n} minutes.</source>
        <translation>Länger als {n} Minuten.</translation>
    </message>
    <message>
        <source>it is longer than {n} minutes. Transcribe it, or cut it into shorter pieces.</source>
        <translation>sie ist länger als {n} Minuten. Transkribiere sie, oder zerlege sie in kürzere Stücke.</translation>
    </message>
    <message>
        <source>it is made for neither images nor audio</source>
        <translation>er ist weder für Bilder noch für Audio gemacht</translation>
    </message>
    <message>
        <source>it is made for {needed}, and this computer is {present}.</source>
        <translation>Sie ist für {needed} gemacht, und dieser Computer ist {present}.</translation>
    </message>
    <message>
        <source>it is neither a folder nor an archive (tar.gz, tar.xz or zip).</source>
        <translation>Das ist weder ein Ordner noch ein Archiv (tar.gz, tar.xz oder zip).</translation>
    </message>
    <message>
        <source>it is nested beyond all bounds</source>
        <translation>maßlos verschachtelt</translation>
    </message>
    <message>
        <source>it is nested deeper than {n} levels.</source>
        <translation>die Verschachtelung ist tiefer als {n} Ebenen.</translation>
    </message>
    <message>
        <source>it is nested too deeply.</source>
        <translation>Zu tief verschachtelt.</translation>
    </message>
    <message>
        <source>it is no ZIP archive that can be read.</source>
        <translation>Das ist kein lesbares ZIP-Archiv.</translation>
    </message>
    <message>
        <source>it is no image.</source>
        <translation>Das ist kein Bild.</translation>
    </message>
    <message>
        <source>it is no longer there</source>
        <translation>nicht mehr da</translation>
    </message>
    <message>
        <source>it is no project file.</source>
        <translation>sie ist keine Projektdatei.</translation>
    </message>
    <message>
        <source>it is no server.</source>
        <translation>Es ist kein Server.</translation>
    </message>
    <message>
        <source>it is not a GGUF file (its first bytes are {shown}).</source>
        <translation>Das ist keine GGUF-Datei (ihre ersten Bytes sind {shown}).</translation>
    </message>
    <message>
        <source>it is not a PNG, JPEG, WebP, GIF or BMP image, or it is damaged.</source>
        <translation>Das ist kein Bild in PNG, JPEG, WebP, GIF oder BMP, oder es ist beschädigt.</translation>
    </message>
    <message>
        <source>it is not a WAV file of one channel at 16 kHz.</source>
        <translation>keine WAV-Datei mit einem Kanal und 16 kHz.</translation>
    </message>
    <message>
        <source>it is not a chat file.</source>
        <translation>Das ist keine Chat-Datei.</translation>
    </message>
    <message>
        <source>it is not a database</source>
        <translation>das ist keine Datenbank</translation>
    </message>
    <message>
        <source>it is not a file</source>
        <translation>es ist keine Datei</translation>
    </message>
    <message>
        <source>it is not a file.</source>
        <translation>Das ist keine Datei.</translation>
    </message>
    <message>
        <source>it is not a folder.</source>
        <translation>Das ist kein Ordner.</translation>
    </message>
    <message>
        <source>it is not a preset file.</source>
        <translation>Das ist keine Preset-Datei.</translation>
    </message>
    <message>
        <source>it is not a regular file.</source>
        <translation>dort ist keine gewöhnliche Datei.</translation>
    </message>
    <message>
        <source>it is not a settings file</source>
        <translation>keine Einstellungsdatei</translation>
    </message>
    <message>
        <source>it is not an ordinary file.</source>
        <translation>Das ist keine gewöhnliche Datei.</translation>
    </message>
    <message>
        <source>it is not empty. Choose a new or an empty folder.</source>
        <translation>Er ist nicht leer. Wähle einen neuen oder leeren Ordner.</translation>
    </message>
    <message>
        <source>it is not newer than this one.</source>
        <translation>sie ist nicht neuer als diese.</translation>
    </message>
    <message>
        <source>it is not that part of the file ({status}).</source>
        <translation>Das ist nicht dieser Teil der Datei ({status}).</translation>
    </message>
    <message>
        <source>it is not there.</source>
        <translation>Nicht da.</translation>
    </message>
    <message>
        <source>it is not valid JSON</source>
        <translation>kein gültiges JSON</translation>
    </message>
    <message>
        <source>it is not valid JSON ({reason}).</source>
        <translation>Es ist kein gültiges JSON ({reason}).</translation>
    </message>
    <message>
        <source>it is not valid JSON ({why}).</source>
        <translation>das ist kein gültiges JSON ({why}).</translation>
    </message>
    <message>
        <source>it is of another version (protocol {theirs}, not {ours}).</source>
        <translation>Er ist von einer anderen Version (Protokoll {theirs}, nicht {ours}).</translation>
    </message>
    <message>
        <source>it is older than one that was offered before.</source>
        <translation>Es ist älter als eines, das schon angeboten wurde.</translation>
    </message>
    <message>
        <source>it is only a pointer to the model (Git LFS). Download the file itself.</source>
        <translation>Das ist nur ein Verweis auf das Modell (Git LFS). Lade die Datei selbst herunter.</translation>
    </message>
    <message>
        <source>it is protected against copying.</source>
        <translation>es ist kopiergeschützt.</translation>
    </message>
    <message>
        <source>it is protected by a password.</source>
        <translation>Durch ein Passwort geschützt.</translation>
    </message>
    <message>
        <source>it is signed with an unknown key.</source>
        <translation>Es ist mit einem unbekannten Schlüssel signiert.</translation>
    </message>
    <message>
        <source>it is the projector of a vision or audio model. It cannot chat on its own.</source>
        <translation>Das ist der Projektor eines Vision- oder Audiomodells. Allein kann er nicht chatten.</translation>
    </message>
    <message>
        <source>it is too complex to be read.</source>
        <translation>Zu verschachtelt, um gelesen zu werden.</translation>
    </message>
    <message>
        <source>it is too complex.</source>
        <translation>Zu verschachtelt.</translation>
    </message>
    <message>
        <source>it is too long</source>
        <translation>zu lang</translation>
    </message>
    <message>
        <source>it is too long.</source>
        <translation>Zu lang.</translation>
    </message>
    <message>
        <source>it is {n_bytes} bytes long, at most {most} are read.</source>
        <translation>die Länge ist {n_bytes} Byte, gelesen werden höchstens {most}.</translation>
    </message>
    <message>
        <source>it lacks the property “{key}”, which every model needs.</source>
        <translation>Die Eigenschaft „{key}“ fehlt, die jedes Modell braucht.</translation>
    </message>
    <message>
        <source>it lacks “{name}”, so it is another version of llama.cpp.</source>
        <translation>„{name}“ fehlt darin, es ist also eine andere Version von llama.cpp.</translation>
    </message>
    <message>
        <source>it leads to an unencrypted address.</source>
        <translation>Es führt zu einer unverschlüsselten Adresse.</translation>
    </message>
    <message>
        <source>it leaves an image out</source>
        <translation>sie lässt ein Bild weg</translation>
    </message>
    <message>
        <source>it leaves the system prompt out</source>
        <translation>sie lässt den Systemprompt weg</translation>
    </message>
    <message>
        <source>it lists no models. Check the address.</source>
        <translation>sie nennt keine Modelle. Prüfe die Adresse.</translation>
    </message>
    <message>
        <source>it makes a text without end.</source>
        <translation>Es erzeugt Text ohne Ende.</translation>
    </message>
    <message>
        <source>it must be a number.</source>
        <translation>Das muss eine Zahl sein.</translation>
    </message>
    <message>
        <source>it must be a whole number.</source>
        <translation>Das muss eine ganze Zahl sein.</translation>
    </message>
    <message>
        <source>it must be an object, or true or false.</source>
        <translation>Es muss ein Objekt sein, oder true oder false.</translation>
    </message>
    <message>
        <source>it names a model twice.</source>
        <translation>Ein Modell steht zweimal darin.</translation>
    </message>
    <message>
        <source>it names no commit.</source>
        <translation>Kein Commit ist genannt.</translation>
    </message>
    <message>
        <source>it needs a command or an address.</source>
        <translation>Es braucht einen Befehl oder eine Adresse.</translation>
    </message>
    <message>
        <source>it needs a name.</source>
        <translation>Der Name fehlt.</translation>
    </message>
    <message>
        <source>it needs a newer updater. Install it by hand.</source>
        <translation>sie braucht eine neuere Update-Funktion. Installiere sie von Hand.</translation>
    </message>
    <message>
        <source>it needs {total} of disk space; {free} free.</source>
        <translation>Es braucht {total} Speicherplatz; {free} frei.</translation>
    </message>
    <message>
        <source>it needs “Media formats”, a component that is not downloaded yet. Without it, save the audio as WAV, MP3 or FLAC.</source>
        <translation>Braucht „Medienformate“, eine Komponente, die noch nicht heruntergeladen ist. Speichere das Audio sonst als WAV, MP3 oder FLAC.</translation>
    </message>
    <message>
        <source>it pads a text without end</source>
        <translation>sie füllt einen Text ohne Ende auf</translation>
    </message>
    <message>
        <source>it produces no text.</source>
        <translation>Sie erzeugt keinen Text.</translation>
    </message>
    <message>
        <source>it reads variables from a file. Write them under “env”.</source>
        <translation>Er liest Variablen aus einer Datei. Schreibe sie unter „env“.</translation>
    </message>
    <message>
        <source>it redirects elsewhere.</source>
        <translation>Sie leitet woanders hin.</translation>
    </message>
    <message>
        <source>it redirects to an invalid address.</source>
        <translation>Sie leitet auf eine ungültige Adresse um.</translation>
    </message>
    <message>
        <source>it redirects to an unencrypted address.</source>
        <translation>Sie leitet auf eine unverschlüsselte Adresse um.</translation>
    </message>
    <message>
        <source>it redirects to {host}, which was not contacted. Enter that address instead.</source>
        <translation>sie leitet zu {host} weiter; dort wurde nicht angefragt. Gib stattdessen diese Adresse ein.</translation>
    </message>
    <message>
        <source>it refers to a missing file.</source>
        <translation>Sie verweist auf eine fehlende Datei.</translation>
    </message>
    <message>
        <source>it said nothing for {limit_s} seconds.</source>
        <translation>{limit_s} Sekunden lang kam nichts.</translation>
    </message>
    <message>
        <source>it sent a web page, “{title}”.</source>
        <translation>es kam eine Webseite, „{title}“.</translation>
    </message>
    <message>
        <source>it sent a web page.</source>
        <translation>es kam eine Webseite.</translation>
    </message>
    <message>
        <source>it sent invalid data.</source>
        <translation>er hat ungültige Daten gesendet.</translation>
    </message>
    <message>
        <source>it starts with zeros. The download is probably incomplete.</source>
        <translation>Sie beginnt mit Nullen. Der Download ist wahrscheinlich unvollständig.</translation>
    </message>
    <message>
        <source>it still holds what it should delete.</source>
        <translation>Was er löschen sollte, ist noch da.</translation>
    </message>
    <message>
        <source>it takes too long.</source>
        <translation>Es dauert zu lange.</translation>
    </message>
    <message>
        <source>it takes too much memory.</source>
        <translation>Es braucht zu viel Speicher.</translation>
    </message>
    <message>
        <source>it unpacks to far more than it seems to hold.</source>
        <translation>Entpackt wird es weit größer, als es scheint.</translation>
    </message>
    <message>
        <source>it was asked to stop.</source>
        <translation>Er wurde zum Beenden aufgefordert.</translation>
    </message>
    <message>
        <source>it was built for another CPU (SIGILL).</source>
        <translation>für eine andere CPU gebaut (SIGILL).</translation>
    </message>
    <message>
        <source>it was built for another CPU (illegal instruction).</source>
        <translation>für eine andere CPU gebaut (ungültiger Befehl).</translation>
    </message>
    <message>
        <source>it was cancelled.</source>
        <translation>Abgebrochen.</translation>
    </message>
    <message>
        <source>it was interrupted (SIGINT).</source>
        <translation>Er wurde unterbrochen (SIGINT).</translation>
    </message>
    <message>
        <source>it was interrupted.</source>
        <translation>Er wurde unterbrochen.</translation>
    </message>
    <message>
        <source>it was lost on the way.</source>
        <translation>Es ging unterwegs verloren.</translation>
    </message>
    <message>
        <source>it was made for another version.</source>
        <translation>Sie wurde für eine andere Version gemacht.</translation>
    </message>
    <message>
        <source>it was made for llama-cpp-python {version}, and this is {other}.</source>
        <translation>Sie wurde für llama-cpp-python {version} gemacht, und hier ist {other}.</translation>
    </message>
    <message>
        <source>it was not downloaded with Fireside, so its checksum is unknown.</source>
        <translation>Die Datei wurde nicht mit Fireside heruntergeladen, daher ist ihre Prüfsumme unbekannt.</translation>
    </message>
    <message>
        <source>it was not downloaded with Fireside. Download it again where it came from.</source>
        <translation>sie wurde nicht mit Fireside heruntergeladen. Lade sie dort neu herunter, wo sie herkam.</translation>
    </message>
    <message>
        <source>it was to list the devices, and {what} A graphics driver may hang.</source>
        <translation>Er sollte die Geräte aufzählen. {what} Vielleicht hängt ein Grafiktreiber.</translation>
    </message>
    <message>
        <source>it would have more than {most} pages.</source>
        <translation>Es hätte mehr als {most} Seiten.</translation>
    </message>
    <message>
        <source>its address does not begin with https:// or http://.</source>
        <translation>Seine Adresse beginnt nicht mit https:// oder http://.</translation>
    </message>
    <message>
        <source>its address is invalid.</source>
        <translation>Die Adresse ist ungültig.</translation>
    </message>
    <message>
        <source>its archive holds what does not belong there.</source>
        <translation>Sein Archiv enthält, was dort nicht hingehört.</translation>
    </message>
    <message>
        <source>its arguments name variables of the environment. Write their values.</source>
        <translation>Seine Argumente nennen Umgebungsvariablen. Schreibe ihre Werte.</translation>
    </message>
    <message>
        <source>its begin or end tokens differ</source>
        <translation>seine Anfangs- oder Endtokens sind anders</translation>
    </message>
    <message>
        <source>its certificate is not the pinned one, so nothing was sent. If it was made anew there, remove the server and add it again; else another computer answers at this address.</source>
        <translation>sein Zertifikat ist nicht das festgelegte, daher wurde nichts gesendet. Wenn es dort neu erstellt wurde, den Server entfernen und erneut hinzufügen; sonst antwortet unter dieser Adresse ein anderer Computer.</translation>
    </message>
    <message>
        <source>its certificate is not trusted. Sign in to your network, or add your proxy’s certificate in the settings.</source>
        <translation>Dem Zertifikat wird nicht vertraut. Melde dich in deinem Netzwerk an oder füge das Zertifikat deines Proxys in den Einstellungen hinzu.</translation>
    </message>
    <message>
        <source>its contents do not fit together</source>
        <translation>der Inhalt passt nicht zusammen</translation>
    </message>
    <message>
        <source>its description has more than {limit} characters.</source>
        <translation>Die Beschreibung hat mehr als {limit} Zeichen.</translation>
    </message>
    <message>
        <source>its documents are too large.</source>
        <translation>seine Dokumente sind zu groß.</translation>
    </message>
    <message>
        <source>its file has none</source>
        <translation>seine Datei hat keine</translation>
    </message>
    <message>
        <source>its format is unsafe</source>
        <translation>ihr Format ist unsicher</translation>
    </message>
    <message>
        <source>its launcher ended</source>
        <translation>sein Startprogramm wurde beendet</translation>
    </message>
    <message>
        <source>its libraries cannot be loaded ({why}).</source>
        <translation>ihre Bibliotheken lassen sich nicht laden ({why}).</translation>
    </message>
    <message>
        <source>its manifest cannot be read ({reason}).</source>
        <translation>Sein Manifest ist nicht lesbar ({reason}).</translation>
    </message>
    <message>
        <source>its name has more than {limit} characters.</source>
        <translation>Der Name hat mehr als {limit} Zeichen.</translation>
    </message>
    <message>
        <source>its name may have lower-case letters, digits and single hyphens, 24 at most.</source>
        <translation>Sein Name darf Kleinbuchstaben, Ziffern und einzelne Bindestriche haben, höchstens 24 Zeichen.</translation>
    </message>
    <message>
        <source>its name points outside the library.</source>
        <translation>Der Name zeigt aus der Bibliothek hinaus.</translation>
    </message>
    <message>
        <source>its parts are nested too deep.</source>
        <translation>Die Teile sind zu tief verschachtelt.</translation>
    </message>
    <message>
        <source>its parts are not what they should be</source>
        <translation>die Teile sind nicht, was sie sein sollten</translation>
    </message>
    <message>
        <source>its process has ended unexpectedly.</source>
        <translation>ihr Prozess ist unerwartet beendet worden.</translation>
    </message>
    <message>
        <source>its projector “{file}” does not go with it ({why}).</source>
        <translation>der Projektor „{file}“ passt nicht dazu ({why}).</translation>
    </message>
    <message>
        <source>its signature cannot be read.</source>
        <translation>Seine Signatur ist nicht lesbar.</translation>
    </message>
    <message>
        <source>its signature is wrong.</source>
        <translation>Seine Signatur ist falsch.</translation>
    </message>
    <message>
        <source>its structures are those of another version of llama.cpp ({n_bytes} bytes in place of {expected}).</source>
        <translation>ihre Strukturen sind die einer anderen Version von llama.cpp ({n_bytes} statt {expected} Byte).</translation>
    </message>
    <message>
        <source>its structures are those of another version of llama.cpp.</source>
        <translation>Ihre Strukturen sind die einer anderen Version von llama.cpp.</translation>
    </message>
    <message>
        <source>its tables are not those of Fireside</source>
        <translation>ihre Tabellen sind nicht die von Fireside</translation>
    </message>
    <message>
        <source>its text has more than {limit} characters.</source>
        <translation>Der Text hat mehr als {limit} Zeichen.</translation>
    </message>
    <message>
        <source>its tokenizer differs</source>
        <translation>sein Tokenizer ist ein anderer</translation>
    </message>
    <message>
        <source>its value has more than {limit} characters.</source>
        <translation>Ein Wert hat mehr als {limit} Zeichen.</translation>
    </message>
    <message>
        <source>its version is not a number</source>
        <translation>die Version ist keine Zahl</translation>
    </message>
    <message>
        <source>its vocabulary has {n_small} tokens, the model’s {n_large}</source>
        <translation>sein Vokabular hat {n_small} Tokens, das des Modells {n_large}</translation>
    </message>
    <message>
        <source>its {file} cannot be read.</source>
        <translation>{file} darin lässt sich nicht lesen.</translation>
    </message>
    <message>
        <source>json schema; grammar; gbnf; structured output; regex; lark</source>
        <translation>JSON-Schema; Grammatik; strukturierte Ausgabe; regulärer Ausdruck</translation>
    </message>
    <message>
        <source>just now</source>
        <translation>gerade eben</translation>
    </message>
    <message>
        <source>keep_alive; keep alive; idle; ttl; auto unload; auto-evict; unload after idle</source>
        <translation>automatisch entladen; im Speicher halten nach Leerlauf; Leerlauf; entladen</translation>
    </message>
    <message>
        <source>killed by another program (SIGHUP).</source>
        <translation>von einem anderen Programm beendet (SIGHUP).</translation>
    </message>
    <message>
        <source>killed by another program (SIGKILL). Not for lack of memory; {free} free now.</source>
        <translation>von einem anderen Programm beendet (SIGKILL). Nicht aus Speichermangel; {free} jetzt frei.</translation>
    </message>
    <message>
        <source>killed by another program (SIGTERM).</source>
        <translation>von einem anderen Programm beendet (SIGTERM).</translation>
    </message>
    <message>
        <source>killed by the system (signal {number}).</source>
        <translation>vom System beendet (Signal {number}).</translation>
    </message>
    <message>
        <source>killed by the system ({name}).</source>
        <translation>vom System beendet ({name}).</translation>
    </message>
    <message>
        <source>killed by the system or another program (SIGKILL). {free} of memory free now.</source>
        <translation>vom System oder einem anderen Programm beendet (SIGKILL). {free} Speicher jetzt frei.</translation>
    </message>
    <message>
        <source>killed by the system, probably out of memory: it has killed a program for that since this model was loaded.</source>
        <translation>vom System beendet, wahrscheinlich aus Speichermangel: Seit dem Laden dieses Modells hat es deswegen ein Programm beendet.</translation>
    </message>
    <message>
        <source>kv cache on gpu; offload_kqv; kv offload; no_kv_offload</source>
        <translation>KV-Cache auf der GPU; Kontext auf der Grafikkarte</translation>
    </message>
    <message>
        <source>kv cache; kv cache quantization; cache_type_k; k cache; kv cache type</source>
        <translation>KV-Cache-Quantisierung; Schlüssel-Cache; Typ des KV-Cache</translation>
    </message>
    <message>
        <source>kv cache; kv cache quantization; cache_type_v; v cache; kv cache type</source>
        <translation>KV-Cache-Quantisierung; Werte-Cache; Typ des KV-Cache</translation>
    </message>
    <message>
        <source>larger than 50 MB</source>
        <translation>größer als 50 MB</translation>
    </message>
    <message>
        <source>last used: {when}</source>
        <translation>zuletzt benutzt: {when}</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>left out by .gitignore</source>
        <translation>durch .gitignore ausgenommen</translation>
    </message>
    <message>
        <source>length</source>
        <translation>Länge</translation>
    </message>
    <message>
        <source>less than 1% of the text</source>
        <translation>weniger als 1 % des Textes</translation>
    </message>
    <message>
        <source>licence {name}</source>
        <translation>Lizenz {name}</translation>
    </message>
    <message>
        <source>limit: {most} MB of images per message.</source>
        <translation>Höchstens {most} MB Bilder je Nachricht.</translation>
    </message>
    <message>
        <source>limit: {most} characters per message in files.</source>
        <translation>Höchstens {most} Zeichen je Nachricht in Dateien.</translation>
    </message>
    <message>
        <source>limit: {most} files per message.</source>
        <translation>Höchstens {most} Dateien je Nachricht.</translation>
    </message>
    <message>
        <source>limit: {most} minutes of audio per message.</source>
        <translation>Grenze: {most} Minuten Audio pro Nachricht.</translation>
    </message>
    <message>
        <source>line {first}</source>
        <translation>Zeile {first}</translation>
    </message>
    <message>
        <source>lines {first}–{last}</source>
        <translation>Zeilen {first}–{last}</translation>
    </message>
    <message>
        <source>list of models</source>
        <translation>Modellliste</translation>
    </message>
    <message>
        <source>llama.cpp aborted (SIGABRT).</source>
        <translation>llama.cpp hat abgebrochen (SIGABRT).</translation>
    </message>
    <message>
        <source>llama.cpp aborted.</source>
        <translation>llama.cpp hat abgebrochen.</translation>
    </message>
    <message>
        <source>llama.cpp aborted: “{line}”.</source>
        <translation>llama.cpp hat abgebrochen: „{line}“.</translation>
    </message>
    <message>
        <source>llama.cpp build for this model (tested ones only)</source>
        <translation>llama.cpp-Build für dieses Modell (nur getestete)</translation>
    </message>
    <message>
        <source>llama.cpp could not be compiled.</source>
        <translation>llama.cpp konnte nicht kompiliert werden.</translation>
    </message>
    <message>
        <source>llama.cpp could not compute the next step ({result}).</source>
        <translation>llama.cpp konnte den nächsten Schritt nicht berechnen ({result}).</translation>
    </message>
    <message>
        <source>llama.cpp could not create the context</source>
        <translation>llama.cpp konnte den Kontext nicht anlegen</translation>
    </message>
    <message>
        <source>llama.cpp could not load the model</source>
        <translation>llama.cpp konnte das Modell nicht laden</translation>
    </message>
    <message>
        <source>llama.cpp could not load the projector</source>
        <translation>llama.cpp konnte den Projektor nicht laden</translation>
    </message>
    <message>
        <source>llama.cpp is still being compiled.</source>
        <translation>llama.cpp wird noch kompiliert.</translation>
    </message>
    <message>
        <source>llama.cpp rejected the control vectors.</source>
        <translation>llama.cpp hat die Steuervektoren abgelehnt.</translation>
    </message>
    <message>
        <source>llama.cpp says: “{line}”.</source>
        <translation>llama.cpp meldet: „{line}“.</translation>
    </message>
    <message>
        <source>llama.cpp&apos;s library (libllama) is not in it.</source>
        <translation>Die Bibliothek von llama.cpp (libllama) fehlt darin.</translation>
    </message>
    <message>
        <source>llama.cpp: {version}, runtime {name}, backends: {backends}</source>
        <translation>llama.cpp: {version}, Runtime {name}, Backends: {backends}</translation>
    </message>
    <message>
        <source>lm studio; ollama; jan; import models; models from other apps</source>
        <translation>Modelle anderer Programme; Modelle importieren</translation>
    </message>
    <message>
        <source>loading was cancelled.</source>
        <translation>Das Laden wurde abgebrochen.</translation>
    </message>
    <message>
        <source>local api server access token client base url openai ollama anthropic curl example</source>
        <translation>lokale api server zugriffstoken token client basis-url url adresse openai ollama anthropic curl beispiel verbindungen</translation>
    </message>
    <message>
        <source>local only; keep this chat on this computer; private; lock; no cloud</source>
        <translation>nur lokal; chat auf diesem computer behalten; privat; sperre; keine cloud; local only</translation>
    </message>
    <message>
        <source>locale; translation; interface language; UI language</source>
        <translation>Sprache; Übersetzung; Sprache der Oberfläche</translation>
    </message>
    <message>
        <source>logit_bias; ban tokens; token bias</source>
        <translation>Token-Gewichtung; Token verbieten; Logit-Gewichte</translation>
    </message>
    <message>
        <source>logprobs; token probabilities; n_probs; top_logprobs</source>
        <translation>Token-Wahrscheinlichkeiten; Wahrscheinlichkeiten aufzeichnen</translation>
    </message>
    <message>
        <source>loop detection; repetition loop; stuck; endless loop</source>
        <translation>Endlosschleife; Wiederholungsschleife; hängt fest</translation>
    </message>
    <message>
        <source>lora scale; lora_scaled; adapter strength</source>
        <translation>LoRA-Stärke; Adapterstärke</translation>
    </message>
    <message>
        <source>lora; adapter; fine-tune</source>
        <translation>Adapter; LoRA-Adapter; Feinabstimmung</translation>
    </message>
    <message>
        <source>main_gpu; primary gpu; select gpu</source>
        <translation>Haupt-GPU; erste Grafikkarte; GPU wählen</translation>
    </message>
    <message>
        <source>mathematics</source>
        <translation>Mathematik</translation>
    </message>
    <message>
        <source>max loaded models; max_loaded_models; loaded models; models at once</source>
        <translation>geladene Modelle; Modelle zugleich</translation>
    </message>
    <message>
        <source>max tokens; max_tokens; n_predict; num_predict; response length; limit response; output length</source>
        <translation>Antwortlänge; maximale Token; höchste Antwortlänge; Ausgabelänge; Antwort begrenzen</translation>
    </message>
    <message>
        <source>media formats video audio sound m4a mp4 attachments component download</source>
        <translation>medienformate video audio ton m4a mp4 anhänge komponente download herunterladen</translation>
    </message>
    <message>
        <source>memory corruption: a bug in llama.cpp or a damaged model file.</source>
        <translation>beschädigter Speicherinhalt, ein Fehler in llama.cpp oder eine beschädigte Modelldatei.</translation>
    </message>
    <message>
        <source>memory limit; ram limit; max memory; guardrails</source>
        <translation>Speichergrenze; Speicherlimit; RAM-Limit</translation>
    </message>
    <message>
        <source>memory remember facts personalization personalisation about me tools</source>
        <translation>gedächtnis merken angaben fakten personalisierung über mich werkzeuge memory</translation>
    </message>
    <message>
        <source>mermaid diagram preview browser component download</source>
        <translation>Mermaid Diagramm Vorschau Browser Komponente herunterladen</translation>
    </message>
    <message>
        <source>message {place} follows one that does not stand before it.</source>
        <translation>Nachricht {place} folgt auf eine, die nicht vor ihr steht.</translation>
    </message>
    <message>
        <source>message {place} has no possible time.</source>
        <translation>Nachricht {place} hat keine mögliche Zeit.</translation>
    </message>
    <message>
        <source>min_p; min-p</source>
        <translation>Mindestwahrscheinlichkeit; Min-P-Auswahl</translation>
    </message>
    <message>
        <source>minutes</source>
        <translation>Minuten</translation>
    </message>
    <message>
        <source>mirostat; mirostat mode; perplexity control</source>
        <translation>Mirostat-Modus; Perplexität steuern</translation>
    </message>
    <message>
        <source>mirostat_eta; learning rate</source>
        <translation>Mirostat-Rate; Lernrate</translation>
    </message>
    <message>
        <source>mirostat_tau; target entropy</source>
        <translation>Mirostat-Ziel; Zielentropie</translation>
    </message>
    <message>
        <source>mlock; use_mlock; keep model in memory; lock memory; no swap</source>
        <translation>im Speicher halten; Speicher sperren; nicht auslagern</translation>
    </message>
    <message>
        <source>mmap; use_mmap; no-mmap; memory map; memory mapping</source>
        <translation>Speicherabbildung; Datei in den Speicher abbilden</translation>
    </message>
    <message>
        <source>models directory; model directory; models path; download location</source>
        <translation>Modellordner; Speicherort der Modelle; Downloadordner</translation>
    </message>
    <message>
        <source>more than 10 days</source>
        <translation>mehr als 10 Tage</translation>
    </message>
    <message>
        <source>multi gpu; split_mode; multiple gpus</source>
        <translation>mehrere GPUs; mehrere Grafikkarten; Aufteilung</translation>
    </message>
    <message>
        <source>n_cpu_moe; cpu_moe; moe; mixture of experts; expert offload; expert weights</source>
        <translation>Experten; Experten auslagern; Experten auf der CPU</translation>
    </message>
    <message>
        <source>n_gpu_layers_draft; ngld; draft gpu layers</source>
        <translation>GPU-Schichten des Entwurfsmodells</translation>
    </message>
    <message>
        <source>needs {size}</source>
        <translation>braucht {size}</translation>
    </message>
    <message>
        <source>needs {size} even with a context length of {n_ctx}</source>
        <translation>braucht {size} selbst bei einer Kontextlänge von {n_ctx}</translation>
    </message>
    <message>
        <source>needs {size} on {gpu}</source>
        <translation>braucht {size} auf {gpu}</translation>
    </message>
    <message>
        <source>never used</source>
        <translation>nie benutzt</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>no answer within {seconds} s</source>
        <translation>keine Antwort innerhalb von {seconds} s</translation>
    </message>
    <message>
        <source>no connection.</source>
        <translation>Keine Verbindung.</translation>
    </message>
    <message>
        <source>no connection. Check that this computer is online.</source>
        <translation>keine Verbindung. Prüfe, ob dieser Computer online ist.</translation>
    </message>
    <message>
        <source>no documents from {names}</source>
        <translation>keine Dokumente aus {names}</translation>
    </message>
    <message>
        <source>no draft model is set.</source>
        <translation>Kein Entwurfsmodell festgelegt.</translation>
    </message>
    <message>
        <source>no instructions of a project</source>
        <translation>keine Anweisungen eines Projekts</translation>
    </message>
    <message>
        <source>no keyring service is running.</source>
        <translation>Es läuft kein Schlüsselbund-Dienst.</translation>
    </message>
    <message>
        <source>no layers on the GPU</source>
        <translation>keine Schichten auf der GPU</translation>
    </message>
    <message>
        <source>no passages</source>
        <translation>keine Textstellen</translation>
    </message>
    <message>
        <source>no process can be started to read it ({reason}).</source>
        <translation>Es lässt sich kein Prozess starten, der sie liest ({reason}).</translation>
    </message>
    <message>
        <source>no process could be started ({reason}).</source>
        <translation>Es ließ sich kein Prozess starten ({reason}).</translation>
    </message>
    <message>
        <source>no reason given.</source>
        <translation>ohne Angabe von Gründen.</translation>
    </message>
    <message>
        <source>no response.</source>
        <translation>Keine Antwort.</translation>
    </message>
    <message>
        <source>no speech was heard in it.</source>
        <translation>darin wurde keine Sprache gehört.</translation>
    </message>
    <message>
        <source>no system prompt</source>
        <translation>kein Systemprompt</translation>
    </message>
    <message>
        <source>no text</source>
        <translation>kein Text</translation>
    </message>
    <message>
        <source>no text.</source>
        <translation>kein Text.</translation>
    </message>
    <message>
        <source>no text: it needs OCR.</source>
        <translation>kein Text: OCR nötig.</translation>
    </message>
    <message>
        <source>no token of this model can fulfil it.</source>
        <translation>Kein Token dieses Modells kann es erfüllen.</translation>
    </message>
    <message>
        <source>none</source>
        <comment>layers</comment>
        <translation>keine</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>none were loaded with this model.</source>
        <translation>Mit diesem Modell wurde keiner geladen.</translation>
    </message>
    <message>
        <source>not a document</source>
        <translation>kein Dokument</translation>
    </message>
    <message>
        <source>not downloaded</source>
        <translation>nicht heruntergeladen</translation>
    </message>
    <message>
        <source>nothing can fulfil it.</source>
        <translation>Nichts kann es erfüllen.</translation>
    </message>
    <message>
        <source>notification; desktop notification; alert</source>
        <translation>Benachrichtigung; Benachrichtigungen; Hinweis</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>numa; memory nodes; sockets</source>
        <translation>Speicherknoten; Prozessorsockel</translation>
    </message>
    <message>
        <source>of {n} of {n_all} layers</source>
        <translation>von {n} von {n_all} Schichten</translation>
    </message>
    <message>
        <source>offline mode; telemetry; privacy; internet; network; no connections; air gap</source>
        <translation>Offline-Modus; Telemetrie; Datenschutz; Privatsphäre; Internet; Netzwerk</translation>
    </message>
    <message>
        <source>on new-chat screen</source>
        <translation>auf der Startseite</translation>
    </message>
    <message>
        <source>one folder is inside the other.</source>
        <translation>Ein Ordner liegt im anderen.</translation>
    </message>
    <message>
        <source>one of its values is no text.</source>
        <translation>Einer seiner Werte ist kein Text.</translation>
    </message>
    <message>
        <source>op_offload; no-op-offload; gpu prompt processing</source>
        <translation>Prompts auf der GPU lesen</translation>
    </message>
    <message>
        <source>open</source>
        <comment>as a folder is</comment>
        <translation>offen</translation>
    </message>
    <message>
        <source>other devices phone tablet network lan wifi tls https certificate fingerprint qr code pair paired revoke mdns</source>
        <translation>andere geräte telefon handy tablet netzwerk lan wlan tls https zertifikat fingerabdruck qr code koppeln gekoppelt widerrufen mdns</translation>
    </message>
    <message>
        <source>other instructions</source>
        <translation>andere Anweisungen</translation>
    </message>
    <message>
        <source>other messages follow it.</source>
        <translation>Andere Nachrichten folgen ihr.</translation>
    </message>
    <message>
        <source>other values: {names}</source>
        <translation>andere Werte: {names}</translation>
    </message>
    <message>
        <source>out of memory.</source>
        <translation>Speicher erschöpft.</translation>
    </message>
    <message>
        <source>output device; audio output; speakers; headphones</source>
        <translation>Ausgabegerät; Audioausgang; Lautsprecher; Kopfhörer</translation>
    </message>
    <message>
        <source>over the limit of 50,000 files</source>
        <translation>über der Grenze von 50.000 Dateien</translation>
    </message>
    <message>
        <source>override_kv; override-kv; metadata override</source>
        <translation>Metadaten überschreiben</translation>
    </message>
    <message>
        <source>override_tensor; override-tensor; tensor override; tensor buffer</source>
        <translation>Tensoren verteilen; Platz der Tensoren</translation>
    </message>
    <message>
        <source>page {first}</source>
        <translation>Seite {first}</translation>
    </message>
    <message>
        <source>pages {first}–{last}</source>
        <translation>Seiten {first}–{last}</translation>
    </message>
    <message>
        <source>pandas, NumPy, matplotlib and openpyxl for Python code in chats.</source>
        <translation>pandas, NumPy, matplotlib und openpyxl für Python-Code in Chats.</translation>
    </message>
    <message>
        <source>parallel requests; n_parallel; num_parallel; slots; concurrency</source>
        <translation>parallele Anfragen; gleichzeitige Anfragen</translation>
    </message>
    <message>
        <source>passphrase password encrypt encryption lock unlock keyring privacy secure</source>
        <translation>passphrase passwort kennwort verschlüsseln verschlüsselung sperren entsperren schlüsselbund datenschutz sicher</translation>
    </message>
    <message>
        <source>phone tablet lan wifi network tls https qr code pair mdns</source>
        <translation>handy telefon tablet lan wlan netzwerk tls https qr-code koppeln mdns</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>angeheftet</translation>
    </message>
    <message>
        <source>plus a file for images</source>
        <translation>dazu eine Datei für Bilder</translation>
    </message>
    <message>
        <source>poll; polling; spin; busy wait</source>
        <translation>aktives Warten; Warteschleife</translation>
    </message>
    <message>
        <source>presence_penalty; presence</source>
        <translation>Präsenzstrafe; Anwesenheitsstrafe</translation>
    </message>
    <message>
        <source>private</source>
        <translation>privat</translation>
    </message>
    <message>
        <source>projectors of the kind “{kind}” are not supported yet.</source>
        <translation>Projektoren der Art „{kind}“ werden noch nicht unterstützt.</translation>
    </message>
    <message>
        <source>prompt cache; cache_ram; prompt caching; context cache</source>
        <translation>Prompt-Cache; Zwischenspeicher; Prompt-Cache im RAM</translation>
    </message>
    <message>
        <source>prompt cache; disk cache; slot_save_path; prompt caching</source>
        <translation>Prompt-Cache; Festplatten-Cache; Zwischenspeicher auf der Platte</translation>
    </message>
    <message>
        <source>proxy; http_proxy; https_proxy; socks</source>
        <translation>Proxyserver; Stellvertreter</translation>
    </message>
    <message>
        <source>pypi; package index; index url; mirror; components</source>
        <translation>PyPI; Paketindex; Spiegelserver; Mirror; Komponenten</translation>
    </message>
    <message>
        <source>quantization that fits in memory</source>
        <translation>Quantisierung, die in den Speicher passt</translation>
    </message>
    <message>
        <source>queued</source>
        <translation>in Warteschlange</translation>
    </message>
    <message>
        <source>raw prompts</source>
        <translation>rohe Prompts</translation>
    </message>
    <message>
        <source>reading it takes too long. Divide it into smaller files.</source>
        <translation>Das Lesen dauert zu lange. Teile die Datei in kleinere.</translation>
    </message>
    <message>
        <source>reading it takes too much memory.</source>
        <translation>Das Lesen braucht zu viel Speicher.</translation>
    </message>
    <message>
        <source>reasoning; reasoning effort; thinking; enable_thinking; think; chain of thought; CoT</source>
        <translation>Denken; Nachdenken; Denkaufwand; Gedankengang; Schlussfolgern</translation>
    </message>
    <message>
        <source>recommended quantization</source>
        <translation>empfohlene Quantisierung</translation>
    </message>
    <message>
        <source>regular expression</source>
        <translation>regulärer Ausdruck</translation>
    </message>
    <message>
        <source>remember; personalization; personalisation; long-term memory; about me</source>
        <translation>merken; erinnern; Personalisierung; Langzeitgedächtnis; über mich</translation>
    </message>
    <message>
        <source>removed by you</source>
        <translation>von dir entfernt</translation>
    </message>
    <message>
        <source>repeat_last_n; penalty_last_n; repetition range</source>
        <translation>Wiederholungsfenster; Reichweite der Wiederholungsstrafe</translation>
    </message>
    <message>
        <source>repeat_penalty; repetition penalty; repetition_penalty</source>
        <translation>Wiederholungsstrafe; Strafe für Wiederholungen</translation>
    </message>
    <message>
        <source>report_late; async; overlap; gpu idle; pipelining</source>
        <translation>report_late; asynchron; überlappen; GPU wartet; Pipelining</translation>
    </message>
    <message>
        <source>request refused ({status}).</source>
        <translation>Anfrage abgelehnt ({status}).</translation>
    </message>
    <message>
        <source>required tool calls</source>
        <translation>erzwungene Werkzeugaufrufe</translation>
    </message>
    <message>
        <source>rerank texts</source>
        <translation>Texte umordnen</translation>
    </message>
    <message>
        <source>reranking</source>
        <translation>Reranking</translation>
    </message>
    <message>
        <source>response format; response_format; json mode; structured output; json schema; grammar; gbnf; regex</source>
        <translation>Antwortformat; JSON-Modus; strukturierte Ausgabe; strukturierte Antwort; Grammatik; JSON-Schema; regulärer Ausdruck</translation>
    </message>
    <message>
        <source>response reserve; reserved response tokens; n_keep; output reserve</source>
        <translation>Reserve für die Antwort; Antwortreserve</translation>
    </message>
    <message>
        <source>restore backup; safety copy</source>
        <translation>Sicherung wiederherstellen; Backup wiederherstellen; Sicherheitskopie</translation>
    </message>
    <message>
        <source>rope; rope scaling; yarn; extend context; long context</source>
        <translation>RoPE-Skalierung; Kontext verlängern; langer Kontext</translation>
    </message>
    <message>
        <source>rope; rope_freq_base; rope theta; rope frequency base</source>
        <translation>RoPE-Basis; Basisfrequenz</translation>
    </message>
    <message>
        <source>rope; rope_freq_scale; rope frequency scale</source>
        <translation>RoPE-Faktor; Frequenzfaktor</translation>
    </message>
    <message>
        <source>row {first}</source>
        <translation>Zeile {first}</translation>
    </message>
    <message>
        <source>rows {first}–{last}</source>
        <translation>Zeilen {first}–{last}</translation>
    </message>
    <message>
        <source>run by you</source>
        <translation>von dir ausgeführt</translation>
    </message>
    <message>
        <source>samplers; sampler order; sampling order; sampler sequence</source>
        <translation>Reihenfolge der Sampler; Sampler-Reihenfolge</translation>
    </message>
    <message>
        <source>search for other Firesides</source>
        <translation>Suche nach anderen Firesides</translation>
    </message>
    <message>
        <source>seconds</source>
        <translation>Sekunden</translation>
    </message>
    <message>
        <source>seed; random seed; rng; deterministic; reproducible</source>
        <translation>Startwert; Zufallswert; Zufallszahl; reproduzierbar</translation>
    </message>
    <message>
        <source>showing it takes too long.</source>
        <translation>das Anzeigen dauert zu lange.</translation>
    </message>
    <message>
        <source>showing it takes too much memory.</source>
        <translation>das Anzeigen braucht zu viel Speicher.</translation>
    </message>
    <message>
        <source>slide {first}</source>
        <translation>Folie {first}</translation>
    </message>
    <message>
        <source>slides {first}–{last}</source>
        <translation>Folien {first}–{last}</translation>
    </message>
    <message>
        <source>snippet</source>
        <translation>Textbaustein</translation>
    </message>
    <message>
        <source>some of its entries are not valid</source>
        <translation>einige ihrer Einträge sind ungültig</translation>
    </message>
    <message>
        <source>some rows belong to nothing</source>
        <translation>manche Zeilen gehören zu nichts</translation>
    </message>
    <message>
        <source>something in it is not what it should be ({reason}).</source>
        <translation>Etwas darin ist nicht, was es sein sollte ({reason}).</translation>
    </message>
    <message>
        <source>something on your network answered instead. If your network requires sign-in, do that in your browser.</source>
        <translation>Etwas in deinem Netzwerk hat stattdessen geantwortet. Wenn dein Netzwerk eine Anmeldung verlangt, melde dich im Browser an.</translation>
    </message>
    <message>
        <source>speculative decoding; draft; lookup decoding; ngram; prompt lookup; mtp; multi-token prediction; nextn</source>
        <translation>spekulatives Dekodieren; speculative decoding; Entwurf; draft; lookup decoding; ngram; prompt lookup; mtp; multi-token prediction; nextn</translation>
    </message>
    <message>
        <source>speech component dictation read aloud talk download remove</source>
        <translation>sprache komponente diktieren vorlesen sprechen download herunterladen entfernen löschen</translation>
    </message>
    <message>
        <source>speech dictation read aloud talk microphone speaker headphones voice language recognition whisper kokoro piper stt tts</source>
        <translation>sprache diktieren diktat vorlesen sprechen mikrofon lautsprecher kopfhörer stimme erkennung whisper kokoro piper stt tts</translation>
    </message>
    <message>
        <source>spins</source>
        <translation>Runden</translation>
    </message>
    <message>
        <source>ssl; tls; ca bundle; certificate; ssl_cert_file; self-signed</source>
        <translation>Zertifikat; Zertifikate; SSL-Zertifikat; selbst signiert</translation>
    </message>
    <message>
        <source>starting from a chosen token</source>
        <translation>das Beginnen ab einem gewählten Token</translation>
    </message>
    <message>
        <source>stop sequence; stop sequences; stop strings; stop words; reverse prompt</source>
        <translation>Stoppsequenz; Stoppsequenzen; Stoppwörter; Stopptext</translation>
    </message>
    <message>
        <source>strength of an adapter</source>
        <translation>Stärke eines Adapters</translation>
    </message>
    <message>
        <source>subject</source>
        <translation>Fach</translation>
    </message>
    <message>
        <source>summaries, benchmarks, and views of prompts and tokens</source>
        <translation>Zusammenfassungen, Benchmarks und Ansichten von Prompts und Tokens</translation>
    </message>
    <message>
        <source>swa_full; sliding window; swa</source>
        <translation>gleitendes Fenster; Schiebefenster</translation>
    </message>
    <message>
        <source>system prompt “{text}”</source>
        <translation>Systemprompt „{text}“</translation>
    </message>
    <message>
        <source>system prompt; system message; instructions; persona; role</source>
        <translation>Systemprompt; Systemnachricht; Anweisungen; Rolle; Persona</translation>
    </message>
    <message>
        <source>system tray; minimise to tray; minimize to tray; run in background</source>
        <translation>Infobereich; in den Infobereich minimieren; Systemleiste; im Hintergrund laufen</translation>
    </message>
    <message>
        <source>tags: {tags}</source>
        <translation>Tags: {tags}</translation>
    </message>
    <message>
        <source>target language</source>
        <translation>Zielsprache</translation>
    </message>
    <message>
        <source>temp; creativity; randomness</source>
        <translation>Temperatur; Kreativität; Zufälligkeit</translation>
    </message>
    <message>
        <source>temperature {value}</source>
        <translation>Temperatur {value}</translation>
    </message>
    <message>
        <source>tensor_split; gpu split; split ratio</source>
        <translation>Aufteilung auf GPUs; GPU-Anteile</translation>
    </message>
    <message>
        <source>text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>text generation</source>
        <translation>Textgenerierung</translation>
    </message>
    <message>
        <source>text to speech; tts; read aloud; kokoro; piper</source>
        <translation>Vorlesen; Sprachausgabe; TTS; Kokoro; Piper</translation>
    </message>
    <message>
        <source>that is not the name of a device.</source>
        <translation>Das ist nicht der Name eines Geräts.</translation>
    </message>
    <message>
        <source>the GPU stopped responding.</source>
        <translation>Die GPU antwortet nicht mehr.</translation>
    </message>
    <message>
        <source>the Linux driver</source>
        <translation>dem Linux-Treiber</translation>
    </message>
    <message>
        <source>the NVIDIA driver</source>
        <translation>dem NVIDIA-Treiber</translation>
    </message>
    <message>
        <source>the archive is damaged.</source>
        <translation>Das Archiv ist beschädigt.</translation>
    </message>
    <message>
        <source>the archive’s compression is not supported.</source>
        <translation>Die Komprimierung des Archivs wird nicht unterstützt.</translation>
    </message>
    <message>
        <source>the arguments of a call of “{tool}”</source>
        <translation>die Argumente eines Aufrufs von „{tool}“</translation>
    </message>
    <message>
        <source>the arguments of the template</source>
        <translation>die Argumente der Vorlage</translation>
    </message>
    <message>
        <source>the audio is damaged, or in a format that cannot be read.</source>
        <translation>Das Audio ist beschädigt oder hat ein Format, das nicht gelesen werden kann.</translation>
    </message>
    <message>
        <source>the branch that is shown ends in a message that is not there.</source>
        <translation>Der gezeigte Zweig endet in einer Nachricht, die nicht da ist.</translation>
    </message>
    <message>
        <source>the checksum is missing.</source>
        <translation>Die Prüfsumme fehlt.</translation>
    </message>
    <message>
        <source>the command has an open quotation mark.</source>
        <translation>Im Befehl ist ein Anführungszeichen offen.</translation>
    </message>
    <message>
        <source>the connection timed out.</source>
        <translation>Zeitüberschreitung der Verbindung.</translation>
    </message>
    <message>
        <source>the connection was closed.</source>
        <translation>die Verbindung wurde geschlossen.</translation>
    </message>
    <message>
        <source>the connection was lost.</source>
        <translation>Die Verbindung ist abgebrochen.</translation>
    </message>
    <message>
        <source>the context is {times}× the trained length, so quality may drop</source>
        <translation>der Kontext hat das {times}-Fache der trainierten Länge, die Qualität kann sinken</translation>
    </message>
    <message>
        <source>the context length is at most {n}, as the model was trained, not {n_wanted}</source>
        <translation>die Kontextlänge ist höchstens {n}, wie das Modell trainiert wurde, nicht {n_wanted}</translation>
    </message>
    <message>
        <source>the copy of {name} differs. The disk may be damaged.</source>
        <translation>Die Kopie von {name} weicht ab. Vielleicht ist der Datenträger beschädigt.</translation>
    </message>
    <message>
        <source>the current folder is missing.</source>
        <translation>Der aktuelle Ordner fehlt.</translation>
    </message>
    <message>
        <source>the disk is full.</source>
        <translation>Der Datenträger ist voll.</translation>
    </message>
    <message>
        <source>the download is incomplete: {part}.</source>
        <translation>Der Download ist unvollständig: {part}.</translation>
    </message>
    <message>
        <source>the draft model “{draft}” could not be read.</source>
        <translation>Das Entwurfsmodell „{draft}“ ist nicht lesbar.</translation>
    </message>
    <message>
        <source>the draft model “{draft}” could not be started.</source>
        <translation>Das Entwurfsmodell „{draft}“ ließ sich nicht starten.</translation>
    </message>
    <message>
        <source>the file cannot be written.</source>
        <translation>Die Datei lässt sich nicht schreiben.</translation>
    </message>
    <message>
        <source>the file is damaged ({detail}).</source>
        <translation>die Datei ist beschädigt ({detail}).</translation>
    </message>
    <message>
        <source>the file on Hugging Face has changed. Download the new one instead.</source>
        <translation>Die Datei auf Hugging Face hat sich geändert. Lade stattdessen die neue herunter.</translation>
    </message>
    <message>
        <source>the image is damaged.</source>
        <translation>Das Bild ist beschädigt.</translation>
    </message>
    <message>
        <source>the keyring answered with an error ({kind}).</source>
        <translation>Der Schlüsselbund antwortete mit einem Fehler ({kind}).</translation>
    </message>
    <message>
        <source>the keyring chosen in its configuration ({chosen}) is not one that keeps secrets.</source>
        <translation>Der gewählte Schlüsselbund ({chosen}) bewahrt keine Geheimnisse auf.</translation>
    </message>
    <message>
        <source>the keyring could not be opened.</source>
        <translation>Der Schlüsselbund ließ sich nicht öffnen.</translation>
    </message>
    <message>
        <source>the last message alone is too long.</source>
        <translation>Schon die letzte Nachricht ist zu lang.</translation>
    </message>
    <message>
        <source>the last message ends with a complete tool call.</source>
        <translation>Die letzte Nachricht endet mit einem vollständigen Werkzeugaufruf.</translation>
    </message>
    <message>
        <source>the last message is not an answer to continue.</source>
        <translation>Die letzte Nachricht ist keine Antwort, die sich fortsetzen lässt.</translation>
    </message>
    <message>
        <source>the limit is {most} presets. Delete some you do not use.</source>
        <translation>Höchstens {most} Presets sind möglich. Lösche welche, die du nicht brauchst.</translation>
    </message>
    <message>
        <source>the link “{name}” in it leads nowhere.</source>
        <translation>Der Verweis „{name}“ darin führt ins Leere.</translation>
    </message>
    <message>
        <source>the model</source>
        <translation>das Modell</translation>
    </message>
    <message>
        <source>the model file could not be read any more.</source>
        <translation>Die Modelldatei war nicht mehr zu lesen.</translation>
    </message>
    <message>
        <source>the model file was changed or became unreadable while it was in use (SIGBUS).</source>
        <translation>Die Modelldatei wurde während der Benutzung geändert oder unlesbar (SIGBUS).</translation>
    </message>
    <message>
        <source>the model has layers from 1 to {last}.</source>
        <translation>das Modell hat Schichten von 1 bis {last}.</translation>
    </message>
    <message>
        <source>the model has no KV cache</source>
        <translation>das Modell hat keinen KV-Cache</translation>
    </message>
    <message>
        <source>the model is not loaded.</source>
        <translation>Das Modell ist nicht geladen.</translation>
    </message>
    <message>
        <source>the model lacks a token that its projector puts around images or audio</source>
        <translation>dem Modell fehlt ein Token, das sein Projektor um Bilder oder Audio setzt</translation>
    </message>
    <message>
        <source>the model wrote nothing.</source>
        <translation>Das Modell hat nichts geschrieben.</translation>
    </message>
    <message>
        <source>the model&apos;s context is too small.</source>
        <translation>Der Kontext des Modells ist zu klein.</translation>
    </message>
    <message>
        <source>the model&apos;s projector cannot read it.</source>
        <translation>Der Projektor des Modells kann es nicht lesen.</translation>
    </message>
    <message>
        <source>the model&apos;s projector gave an unexpected result.</source>
        <translation>Der Projektor des Modells lieferte ein unerwartetes Ergebnis.</translation>
    </message>
    <message>
        <source>the new folder</source>
        <translation>den neuen Ordner</translation>
    </message>
    <message>
        <source>the parameters of “{tool}”</source>
        <translation>die Parameter von „{tool}“</translation>
    </message>
    <message>
        <source>the process that reads it was ended, perhaps because memory ran out. Close other programs and try again.</source>
        <translation>Der Prozess, der sie liest, wurde beendet, vielleicht weil der Speicher nicht reichte. Schließe andere Programme und versuche es erneut.</translation>
    </message>
    <message>
        <source>the process that tried it crashed.</source>
        <translation>Der Prozess zum Ausprobieren ist abgestürzt.</translation>
    </message>
    <message>
        <source>the process that tries it could not be started ({reason}).</source>
        <translation>Der Prozess zum Ausprobieren ließ sich nicht starten ({reason}).</translation>
    </message>
    <message>
        <source>the program “{name}” is not on this computer.</source>
        <translation>Das Programm „{name}“ ist nicht auf diesem Rechner.</translation>
    </message>
    <message>
        <source>the projector does not support this audio</source>
        <translation>der Projektor unterstützt dieses Audio nicht</translation>
    </message>
    <message>
        <source>the projector does not support this image size</source>
        <translation>der Projektor unterstützt diese Bildgröße nicht</translation>
    </message>
    <message>
        <source>the proxy failed.</source>
        <translation>Der Proxy hat versagt.</translation>
    </message>
    <message>
        <source>the proxy or the certificates in the settings cannot be used ({reason}).</source>
        <translation>Der Proxy oder die Zertifikate in den Einstellungen lassen sich nicht benutzen ({reason}).</translation>
    </message>
    <message>
        <source>the proxy requires a user name and password.</source>
        <translation>Der Proxy verlangt Benutzername und Passwort.</translation>
    </message>
    <message>
        <source>the quantization {kind} is no longer supported by llama.cpp. Download another one, such as Q4_0.</source>
        <translation>Die Quantisierung {kind} wird von llama.cpp nicht mehr unterstützt. Lade eine andere herunter, etwa Q4_0.</translation>
    </message>
    <message>
        <source>the recommended file of {repo}</source>
        <translation>die empfohlene Datei von {repo}</translation>
    </message>
    <message>
        <source>the response took too long.</source>
        <translation>Die Antwort dauerte zu lange.</translation>
    </message>
    <message>
        <source>the same text fits its rules in too many ways. Make the rules unambiguous.</source>
        <translation>derselbe Text passt auf zu viele Arten zu ihren Regeln. Die Regeln sollten eindeutig sein.</translation>
    </message>
    <message>
        <source>the server is not a Hugging Face endpoint. Check the address in the settings.</source>
        <translation>Der Server ist kein Hugging-Face-Endpunkt. Prüfe die Adresse in den Einstellungen.</translation>
    </message>
    <message>
        <source>the system</source>
        <translation>dem System</translation>
    </message>
    <message>
        <source>the system does not allow locking it in memory. Raise the limit for locked memory, or turn off “Lock model in memory (mlock)”.</source>
        <translation>Das System erlaubt das Sperren im Speicher nicht. Erhöhe das Limit für gesperrten Speicher oder schalte „Modell im Speicher sperren (mlock)“ aus.</translation>
    </message>
    <message>
        <source>the system is shutting down.</source>
        <translation>Das System fährt herunter.</translation>
    </message>
    <message>
        <source>the tensor “{name}” has an unsupported type ({kind}).</source>
        <translation>Der Tensor „{name}“ hat einen nicht unterstützten Typ ({kind}).</translation>
    </message>
    <message>
        <source>their location is set by an environment variable or on the command line.</source>
        <translation>Ihr Ort ist durch eine Umgebungsvariable oder auf der Befehlszeile festgelegt.</translation>
    </message>
    <message>
        <source>there are at most {n} devices.</source>
        <translation>es gibt höchstens {n} Geräte.</translation>
    </message>
    <message>
        <source>there are no questions in a known form in it.</source>
        <translation>Sie enthält keine Fragen in einer bekannten Form.</translation>
    </message>
    <message>
        <source>there is far too much in it.</source>
        <translation>Darin steht viel zu viel.</translation>
    </message>
    <message>
        <source>there is neither an image nor audio in it.</source>
        <translation>Es enthält weder ein Bild noch Audio.</translation>
    </message>
    <message>
        <source>there is no audio in it.</source>
        <translation>Es ist kein Audio darin.</translation>
    </message>
    <message>
        <source>there is no chat to export.</source>
        <translation>Es gibt keinen Chat zum Exportieren.</translation>
    </message>
    <message>
        <source>there is no device “{name}”.</source>
        <translation>das Gerät „{name}“ gibt es nicht.</translation>
    </message>
    <message>
        <source>there is no message in it.</source>
        <translation>Keine Nachricht darin.</translation>
    </message>
    <message>
        <source>there is no table in it.</source>
        <translation>es enthält keine Tabelle.</translation>
    </message>
    <message>
        <source>there is no tool called “{tool}”.</source>
        <translation>ein Werkzeug namens „{tool}“ gibt es nicht.</translation>
    </message>
    <message>
        <source>there is none for this kind of computer.</source>
        <translation>für diese Art Computer gibt es keine.</translation>
    </message>
    <message>
        <source>there is not enough memory to open it.</source>
        <translation>Der Speicher reicht nicht, um es zu öffnen.</translation>
    </message>
    <message>
        <source>there is not enough memory.</source>
        <translation>Der Speicher reicht nicht.</translation>
    </message>
    <message>
        <source>there is nothing in it</source>
        <translation>nichts darin</translation>
    </message>
    <message>
        <source>there is nothing in it.</source>
        <translation>Nichts darin.</translation>
    </message>
    <message>
        <source>there is one of this name already.</source>
        <translation>Es gibt schon einen mit diesem Namen.</translation>
    </message>
    <message>
        <source>these libraries of llama.cpp are not in it: {listed}.</source>
        <translation>Diese Bibliotheken von llama.cpp fehlen darin: {listed}.</translation>
    </message>
    <message>
        <source>they are already there.</source>
        <translation>Sie sind schon dort.</translation>
    </message>
    <message>
        <source>they belong to another model</source>
        <translation>sie gehören zu einem anderen Modell</translation>
    </message>
    <message>
        <source>thinking budget; reasoning budget; max thinking tokens</source>
        <translation>Denkbudget; längstes Nachdenken; Denk-Token</translation>
    </message>
    <message>
        <source>this URL is not of a model.</source>
        <translation>Diese URL gehört nicht zu einem Modell.</translation>
    </message>
    <message>
        <source>this address cannot be read.</source>
        <translation>Diese Adresse lässt sich nicht lesen.</translation>
    </message>
    <message>
        <source>this build of llama.cpp lacks the functions for them</source>
        <translation>diesem Build von llama.cpp fehlen die Funktionen dafür</translation>
    </message>
    <message>
        <source>this computer has no address on a local network.</source>
        <translation>dieser Computer hat keine Adresse in einem lokalen Netzwerk.</translation>
    </message>
    <message>
        <source>this is not a Hugging Face URL.</source>
        <translation>Das ist keine Hugging-Face-URL.</translation>
    </message>
    <message>
        <source>this llama.cpp build does not support images.</source>
        <translation>Dieser llama.cpp-Build unterstützt keine Bilder.</translation>
    </message>
    <message>
        <source>this model cannot generate text.</source>
        <translation>Dieses Modell kann keinen Text generieren.</translation>
    </message>
    <message>
        <source>this model was not taught to fill gaps in a text.</source>
        <translation>Dieses Modell hat nicht gelernt, Lücken in einem Text zu füllen.</translation>
    </message>
    <message>
        <source>this program has no MCP servers.</source>
        <translation>Dieses Programm hat keine MCP-Server.</translation>
    </message>
    <message>
        <source>this response format</source>
        <translation>dieses Antwortformat</translation>
    </message>
    <message>
        <source>this session keeps nothing</source>
        <translation>diese Sitzung bewahrt nichts auf</translation>
    </message>
    <message>
        <source>this session keeps nothing.</source>
        <translation>Diese Sitzung bewahrt nichts auf.</translation>
    </message>
    <message>
        <source>this system does not let programs choose.</source>
        <translation>dieses System lässt Programme nicht wählen.</translation>
    </message>
    <message>
        <source>this temporary session has no chats. Restore a backup to see the earlier ones.</source>
        <translation>diese temporäre Sitzung hat keine Chats. Stelle eine Sicherung wieder her, um die früheren zu sehen.</translation>
    </message>
    <message>
        <source>threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>threads_batch; n_threads_batch; prompt threads</source>
        <translation>Threads zum Lesen; Threads für Prompts</translation>
    </message>
    <message>
        <source>threads_draft; draft threads</source>
        <translation>Threads des Entwurfsmodells</translation>
    </message>
    <message>
        <source>three to five short bullet points</source>
        <translation>drei bis fünf kurze Stichpunkte</translation>
    </message>
    <message>
        <source>time not known before the first part</source>
        <translation>Dauer erst nach dem ersten Teil bekannt</translation>
    </message>
    <message>
        <source>timeout; load timeout; load_timeout</source>
        <translation>Zeitlimit; Zeitüberschreitung; Ladezeit</translation>
    </message>
    <message>
        <source>to fit, it answers without its draft heads</source>
        <translation>damit es passt, antwortet es ohne seine Entwurfsköpfe</translation>
    </message>
    <message>
        <source>to fit, it handles one request at a time</source>
        <translation>damit es passt, wird nur eine Anfrage gleichzeitig bearbeitet</translation>
    </message>
    <message>
        <source>to fit, the KV cache is 8-bit</source>
        <translation>damit es passt, hat der KV-Cache 8 Bit</translation>
    </message>
    <message>
        <source>to fit, the context length is {n} instead of {n_wanted}</source>
        <translation>damit es passt, ist die Kontextlänge {n} statt {n_wanted}</translation>
    </message>
    <message>
        <source>token ids</source>
        <translation>Token-IDs</translation>
    </message>
    <message>
        <source>token {token} stands for another text in it</source>
        <translation>Token {token} steht darin für einen anderen Text</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>tone</source>
        <translation>Ton</translation>
    </message>
    <message>
        <source>too many redirects.</source>
        <translation>Zu viele Weiterleitungen.</translation>
    </message>
    <message>
        <source>tools off: {names}</source>
        <translation>Werkzeuge aus: {names}</translation>
    </message>
    <message>
        <source>tools on: {names}</source>
        <translation>Werkzeuge an: {names}</translation>
    </message>
    <message>
        <source>tools permissions allow ask always never consent function calling mcp servers calculator date time search chats read change files folders documents web pages remember facts</source>
        <translation>werkzeuge tools erlaubnisse erlauben fragen immer nie zustimmung function calling mcp server rechner datum uhrzeit chats suchen dateien lesen ändern ordner dokumente web seiten tatsachen merken</translation>
    </message>
    <message>
        <source>top_k; top-k</source>
        <translation>beste K; Top-K-Auswahl</translation>
    </message>
    <message>
        <source>top_n_sigma; n-sigma</source>
        <translation>Sigma-Auswahl</translation>
    </message>
    <message>
        <source>top_p; top-p; nucleus sampling</source>
        <translation>Nukleus-Sampling; Top-P-Auswahl</translation>
    </message>
    <message>
        <source>truncated for the model</source>
        <translation>für das Modell gekürzt</translation>
    </message>
    <message>
        <source>two tools are called “{tool}”.</source>
        <translation>zwei Werkzeuge heißen „{tool}“.</translation>
    </message>
    <message>
        <source>typical_p; locally typical sampling; tfs</source>
        <translation>typische Auswahl; Typical-P-Auswahl</translation>
    </message>
    <message>
        <source>ubatch; n_ubatch; physical batch size; micro batch</source>
        <translation>Mikro-Batch; Mikrostapel</translation>
    </message>
    <message>
        <source>under 0.1%</source>
        <translation>unter 0,1 %</translation>
    </message>
    <message>
        <source>under 5%</source>
        <translation>unter 5 %</translation>
    </message>
    <message>
        <source>unexpected compression ({packed}).</source>
        <translation>Unerwartete Komprimierung ({packed}).</translation>
    </message>
    <message>
        <source>unified kv cache; kv_unified; shared kv cache</source>
        <translation>gemeinsamer KV-Cache; vereinter KV-Cache</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>unnamed</source>
        <translation>unbenannt</translation>
    </message>
    <message>
        <source>unsupported file type.</source>
        <translation>Nicht unterstützter Dateityp.</translation>
    </message>
    <message>
        <source>unusable: {problem}</source>
        <translation>unbrauchbar: {problem}</translation>
    </message>
    <message>
        <source>up to {n_ctx} context</source>
        <translation>bis {n_ctx} Kontext</translation>
    </message>
    <message>
        <source>update available</source>
        <translation>Update verfügbar</translation>
    </message>
    <message>
        <source>updated {when}</source>
        <translation>aktualisiert {when}</translation>
    </message>
    <message>
        <source>updates upgrade new version look check release install go back downgrade</source>
        <translation>updates upgrade aktualisierung neue version suchen prüfen installieren zurück downgrade</translation>
    </message>
    <message>
        <source>use a name like “owner/model”.</source>
        <translation>Verwende einen Namen wie „Besitzer/Modell“.</translation>
    </message>
    <message>
        <source>use a quantization such as “Q4_K_M” after the colon.</source>
        <translation>Nach dem Doppelpunkt gehört eine Quantisierung wie „Q4_K_M“.</translation>
    </message>
    <message>
        <source>use “owner/model” or paste its URL.</source>
        <translation>Verwende „Besitzer/Modell“ oder füge die URL ein.</translation>
    </message>
    <message numerus="yes">
        <source>used %n day ago|used %n days ago</source>
        <translation>
            <numerusform>vor %n Tag benutzt</numerusform>
            <numerusform>vor %n Tagen benutzt</numerusform>
        </translation>
    </message>
    <message>
        <source>used today</source>
        <translation>heute benutzt</translation>
    </message>
    <message>
        <source>used yesterday</source>
        <translation>gestern benutzt</translation>
    </message>
    <message>
        <source>used {day}</source>
        <translation>am {day} benutzt</translation>
    </message>
    <message>
        <source>video</source>
        <translation>Video</translation>
    </message>
    <message>
        <source>vision</source>
        <translation>Vision</translation>
    </message>
    <message>
        <source>web preview html page browser mermaid component download</source>
        <translation>Webvorschau HTML Seite Browser Mermaid Komponente herunterladen</translation>
    </message>
    <message>
        <source>what Claude remembers of you stays in the export.</source>
        <translation>Was Claude sich über dich merkt, bleibt im Export.</translation>
    </message>
    <message>
        <source>what it says of itself cannot be read.</source>
        <translation>Seine Angaben sind nicht lesbar.</translation>
    </message>
    <message>
        <source>what it says of itself is too long.</source>
        <translation>Seine Angaben sind zu lang.</translation>
    </message>
    <message>
        <source>what it stored does not read back as it was.</source>
        <translation>Das Gespeicherte kommt nicht so zurück, wie es war.</translation>
    </message>
    <message>
        <source>which server it is</source>
        <translation>welcher Server es ist</translation>
    </message>
    <message>
        <source>whole documents</source>
        <translation>ganze Dokumente</translation>
    </message>
    <message>
        <source>with draft heads (MTP), {size}</source>
        <translation>mit Entwurfsköpfen (MTP), {size}</translation>
    </message>
    <message>
        <source>with projector, {size}</source>
        <translation>mit Projektor, {size}</translation>
    </message>
    <message numerus="yes">
        <source>without %n remembered fact|without %n remembered facts</source>
        <translation>
            <numerusform>ohne %n gemerkte Angabe</numerusform>
            <numerusform>ohne %n gemerkte Angaben</numerusform>
        </translation>
    </message>
    <message>
        <source>without a draft model</source>
        <translation>ohne Entwurfsmodell</translation>
    </message>
    <message>
        <source>without vision</source>
        <translation>ohne Bildverstehen</translation>
    </message>
    <message>
        <source>xtc_probability; exclude top choices</source>
        <translation>Spitzen ausschließen</translation>
    </message>
    <message>
        <source>xtc_threshold; exclude top choices threshold</source>
        <translation>Schwelle zum Ausschließen der Spitzen</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>your account</source>
        <translation>dein Konto</translation>
    </message>
    <message>
        <source>{action} (local models only)</source>
        <translation>{action} (nur lokale Modelle)</translation>
    </message>
    <message>
        <source>{answered} No token was used, which is enough for most models.</source>
        <translation>{answered} Ohne Token, was für die meisten Modelle genügt.</translation>
    </message>
    <message>
        <source>{answered} Signed in as “{user}”.</source>
        <translation>{answered} Angemeldet als „{user}“.</translation>
    </message>
    <message>
        <source>{answered} The token is valid.</source>
        <translation>{answered} Das Token ist gültig.</translation>
    </message>
    <message>
        <source>{architecture}, {n_layers} layers, embedding length {n_embd}</source>
        <translation>{architecture}, {n_layers} Schichten, Embedding-Länge {n_embd}</translation>
    </message>
    <message>
        <source>{ask} – then set an access token in the settings.</source>
        <translation>{ask} – hinterlege dann ein Zugriffstoken in den Einstellungen.</translation>
    </message>
    <message>
        <source>{bad} of {whole} parts differ from the original. “Repair” downloads only those again.</source>
        <translation>{bad} von {whole} Teilen weichen vom Original ab. „Reparieren“ lädt nur diese neu.</translation>
    </message>
    <message>
        <source>{bits} instead of {more} KV cache</source>
        <translation>KV-Cache mit {bits} statt {more}</translation>
    </message>
    <message>
        <source>{chats} archived</source>
        <translation>{chats} archiviert</translation>
    </message>
    <message>
        <source>{chats} deleted</source>
        <translation>{chats} gelöscht</translation>
    </message>
    <message>
        <source>{chats} moved out of the folder</source>
        <translation>{chats} aus dem Ordner verschoben</translation>
    </message>
    <message>
        <source>{chats} moved to “{folder}”</source>
        <translation>{chats} nach „{folder}“ verschoben</translation>
    </message>
    <message>
        <source>{context} context</source>
        <translation>{context} Kontext</translation>
    </message>
    <message>
        <source>{cost}, {more} when used</source>
        <translation>{cost}, {more} bei Verwendung</translation>
    </message>
    <message>
        <source>{count} active</source>
        <translation>{count} aktiv</translation>
    </message>
    <message>
        <source>{count} damaged files are kept already</source>
        <translation>{count} beschädigte Dateien werden schon aufbewahrt</translation>
    </message>
    <message>
        <source>{count} downloads</source>
        <translation>{count} Downloads</translation>
    </message>
    <message>
        <source>{count} likes</source>
        <translation>{count} Likes</translation>
    </message>
    <message>
        <source>{count} more; type to filter</source>
        <translation>{count} weitere; tippe zum Filtern</translation>
    </message>
    <message>
        <source>{count} parameters</source>
        <translation>{count} Parameter</translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation>{count} Tokens</translation>
    </message>
    <message>
        <source>{day:02} {month} {year}, {time} UTC</source>
        <translation>{day}. {month} {year}, {time} UTC</translation>
    </message>
    <message>
        <source>{day} {month} {year}</source>
        <comment>a date</comment>
        <translation>{day}. {month} {year}</translation>
    </message>
    <message>
        <source>{day}, {time}</source>
        <translation>{day}, {time}</translation>
    </message>
    <message>
        <source>{facts}. {place} of {n_rows}</source>
        <translation>{facts}. {place} von {n_rows}</translation>
    </message>
    <message>
        <source>{file} is not a control vector made for this model.</source>
        <translation>{file} ist kein Steuervektor für dieses Modell.</translation>
    </message>
    <message>
        <source>{file} is not an adapter made for this model.</source>
        <translation>{file} ist kein Adapter für dieses Modell.</translation>
    </message>
    <message>
        <source>{file}, number {place}</source>
        <translation>{file}, Nummer {place}</translation>
    </message>
    <message>
        <source>{first} and {count} more</source>
        <translation>{first} und {count} weitere</translation>
    </message>
    <message>
        <source>{first} or {last}</source>
        <translation>{first} oder {last}</translation>
    </message>
    <message>
        <source>{found} · still searching</source>
        <translation>{found} · wird noch durchsucht</translation>
    </message>
    <message>
        <source>{free} free of {size}</source>
        <translation>{free} frei von {size}</translation>
    </message>
    <message>
        <source>{hit}, {place} of {count}</source>
        <translation>{hit}, {place} von {count}</translation>
    </message>
    <message>
        <source>{host} answered in under {seconds} s.</source>
        <translation>{host} antwortete in unter {seconds} s.</translation>
    </message>
    <message>
        <source>{host} answered in {seconds} s.</source>
        <translation>{host} antwortete in {seconds} s.</translation>
    </message>
    <message>
        <source>{host} answers, but not at this address ({status}): {reason}</source>
        <translation>{host} antwortet, aber nicht unter dieser Adresse ({status}): {reason}</translation>
    </message>
    <message>
        <source>{host} did not accept the request ({status}): {reason}</source>
        <translation>{host} hat die Anfrage nicht angenommen ({status}): {reason}</translation>
    </message>
    <message>
        <source>{host} does not allow this request ({status}): {reason}</source>
        <translation>{host} erlaubt diese Anfrage nicht ({status}): {reason}</translation>
    </message>
    <message>
        <source>{host} does not support {what}. Use a local model for that.</source>
        <translation>{host} unterstützt {what} nicht. Verwende dafür ein lokales Modell.</translation>
    </message>
    <message>
        <source>{host} ended the connection before its answer began: {reason}</source>
        <translation>{host} hat die Verbindung beendet, bevor die Antwort begann: {reason}</translation>
    </message>
    <message>
        <source>{host} had an internal error ({status}) and could not answer: {reason}</source>
        <translation>{host} hatte einen internen Fehler ({status}) und konnte nicht antworten: {reason}</translation>
    </message>
    <message>
        <source>{host} has a problem (error {status}). Try again later.</source>
        <translation>{host} hat ein Problem (Fehler {status}). Versuche es später erneut.</translation>
    </message>
    <message>
        <source>{host} has no model “{name}”. Choose another one or test the server again.</source>
        <translation>{host} hat kein Modell „{name}“. Wähle ein anderes oder teste den Server erneut.</translation>
    </message>
    <message>
        <source>{host} is busy. Try again in {when}.</source>
        <translation>{host} ist ausgelastet. Versuche es in {when} erneut.</translation>
    </message>
    <message>
        <source>{host} is busy. Try again later.</source>
        <translation>{host} ist ausgelastet. Versuche es später erneut.</translation>
    </message>
    <message numerus="yes">
        <source>{host} is not ready. Retrying in %n second…|{host} is not ready. Retrying in %n seconds…</source>
        <translation>
            <numerusform>{host} ist nicht bereit. Neuer Versuch in %n Sekunde…</numerusform>
            <numerusform>{host} ist nicht bereit. Neuer Versuch in %n Sekunden…</numerusform>
        </translation>
    </message>
    <message>
        <source>{host} rejected the API key. Enter another one in the settings.</source>
        <translation>{host} hat den API-Schlüssel abgelehnt. Gib in den Einstellungen einen anderen ein.</translation>
    </message>
    <message>
        <source>{host} reported an error: {reason}</source>
        <translation>{host} hat einen Fehler gemeldet: {reason}</translation>
    </message>
    <message>
        <source>{host} requires an API key. Enter it in the settings.</source>
        <translation>{host} verlangt einen API-Schlüssel. Gib ihn in den Einstellungen ein.</translation>
    </message>
    <message>
        <source>{hours} h {minutes} min</source>
        <translation>{hours} h {minutes} min</translation>
    </message>
    <message>
        <source>{keys} is not available. {reason}</source>
        <translation>{keys} ist nicht verfügbar. {reason}</translation>
    </message>
    <message>
        <source>{keys} is used by “{command}”.</source>
        <translation>{keys} wird von „{command}“ verwendet.</translation>
    </message>
    <message>
        <source>{kind} needs flash attention.</source>
        <translation>{kind} braucht Flash Attention.</translation>
    </message>
    <message>
        <source>{kind}, {device}, {column}: {bytes} bytes</source>
        <translation>{kind}, {device}, {column}: {bytes} Byte</translation>
    </message>
    <message>
        <source>{label}, of {others}: closest to the usual quantization.</source>
        <translation>{label}, von {others}: am nächsten an der üblichen Quantisierung.</translation>
    </message>
    <message>
        <source>{label}, of {others}: near full quality at about a quarter of the size.</source>
        <translation>{label}, von {others}: nahe an voller Qualität bei etwa einem Viertel der Größe.</translation>
    </message>
    <message>
        <source>{label}, slider</source>
        <translation>{label}, Schieberegler</translation>
    </message>
    <message>
        <source>{label}: override</source>
        <translation>{label}: überschreiben</translation>
    </message>
    <message>
        <source>{label}: smallest of {count}.</source>
        <translation>{label}: die kleinste von {count}.</translation>
    </message>
    <message>
        <source>{line}, fastest</source>
        <translation>{line}, am schnellsten</translation>
    </message>
    <message>
        <source>{line}, {place} of {n_lines}</source>
        <translation>{line}, {place} von {n_lines}</translation>
    </message>
    <message>
        <source>{media}, with {projector_path}</source>
        <translation>{media}, mit {projector_path}</translation>
    </message>
    <message>
        <source>{memory} shared with the system</source>
        <translation>{memory} mit dem System geteilt</translation>
    </message>
    <message>
        <source>{millions} million characters</source>
        <translation>{millions} Millionen Zeichen</translation>
    </message>
    <message>
        <source>{minutes} min {seconds} s</source>
        <translation>{minutes} min {seconds} s</translation>
    </message>
    <message>
        <source>{missing} of its {count} parts are missing.</source>
        <translation>{missing} von {count} Teilen fehlen.</translation>
    </message>
    <message>
        <source>{model} (not installed)</source>
        <translation>{model} (nicht installiert)</translation>
    </message>
    <message>
        <source>{model} crashed {n_crashes} times in a few minutes and is not restarted for {wait_s} seconds. Load it to try now. Last cause: {cause}</source>
        <translation>{model} ist in wenigen Minuten {n_crashes}-mal abgestürzt und wird {wait_s} Sekunden lang nicht neu gestartet. Lade es, um es sofort zu versuchen. Letzte Ursache: {cause}</translation>
    </message>
    <message>
        <source>{model} crashed: {cause} Your chat is safe.</source>
        <translation>{model} ist abgestürzt: {cause} Dein Chat ist sicher.</translation>
    </message>
    <message>
        <source>{model} did not respond for {waited_s} seconds and was stopped. Your chat is safe.</source>
        <translation>{model} reagierte {waited_s} Sekunden lang nicht und wurde beendet. Dein Chat ist sicher.</translation>
    </message>
    <message>
        <source>{model} does not support audio. Remove the file or choose a model that does.</source>
        <translation>{model} versteht kein Audio. Entferne die Datei oder wähle ein Modell, das Audio versteht.</translation>
    </message>
    <message>
        <source>{model} does not support images. Remove the image or choose a vision model.</source>
        <translation>{model} unterstützt keine Bilder. Entferne das Bild oder wähle ein Vision-Modell.</translation>
    </message>
    <message>
        <source>{model} does not support videos. Remove the file or choose a model that does.</source>
        <translation>{model} versteht keine Videos. Entferne die Datei oder wähle ein Modell, das Videos versteht.</translation>
    </message>
    <message>
        <source>{model} needs {needed_bytes} of memory; {available_bytes} free. Reduce the context length or choose a smaller model.</source>
        <translation>{model} braucht {needed_bytes} Speicher; {available_bytes} frei. Verringere die Kontextlänge oder wähle ein kleineres Modell.</translation>
    </message>
    <message>
        <source>{model} read this text on an image. It may have errors.</source>
        <translation>{model} hat diesen Text auf einem Bild gelesen. Er kann Fehler enthalten.</translation>
    </message>
    <message>
        <source>{model} sent invalid data and was stopped.</source>
        <translation>{model} hat ungültige Daten gesendet und wurde beendet.</translation>
    </message>
    <message>
        <source>{model}, {questions}: {right} of {total} right, {share}.</source>
        <translation>{model}, {questions}: {right} von {total} richtig, {share}.</translation>
    </message>
    <message>
        <source>{n_ctx} context</source>
        <translation>{n_ctx} Kontext</translation>
    </message>
    <message>
        <source>{n_ctx} context (from {source})</source>
        <translation>{n_ctx} Kontext (laut {source})</translation>
    </message>
    <message numerus="yes">
        <source>{n_done} of %n chat|{n_done} of %n chats</source>
        <translation>
            <numerusform>{n_done} von %n Chat</numerusform>
            <numerusform>{n_done} von %n Chats</numerusform>
        </translation>
    </message>
    <message>
        <source>{n_given} strengths for {n_loaded} adapters.</source>
        <translation>{n_given} Stärken für {n_loaded} Adapter.</translation>
    </message>
    <message>
        <source>{n_shares} shares for {n_devices} devices.</source>
        <translation>{n_shares} Anteile für {n_devices} Geräte.</translation>
    </message>
    <message numerus="yes">
        <source>{n_shown} of %n model|{n_shown} of %n models</source>
        <translation>
            <numerusform>{n_shown} von %n Modell</numerusform>
            <numerusform>{n_shown} von %n Modellen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{names} and %n more|{names} and %n more</source>
        <translation>
            <numerusform>{names} und %n weitere</numerusform>
            <numerusform>{names} und %n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>{name} (copy)</source>
        <translation>{name} (Kopie)</translation>
    </message>
    <message>
        <source>{name} (transcript).txt</source>
        <translation>{name} (Transkript).txt</translation>
    </message>
    <message>
        <source>{name} ({number})</source>
        <translation>{name} ({number})</translation>
    </message>
    <message>
        <source>{name} by {owner}</source>
        <translation>{name} von {owner}</translation>
    </message>
    <message>
        <source>{name} by {publisher}.</source>
        <translation>{name} von {publisher}.</translation>
    </message>
    <message>
        <source>{name} has more parameters at work than parameters.</source>
        <translation>{name} hat mehr tätige Parameter als Parameter.</translation>
    </message>
    <message>
        <source>{name} has no speech model that Fireside can use.</source>
        <translation>{name} enthält kein Modell für Sprache, das Fireside benutzen kann.</translation>
    </message>
    <message>
        <source>{name} is already downloading.</source>
        <translation>{name} wird schon heruntergeladen.</translation>
    </message>
    <message>
        <source>{name} is loading… {percent}%</source>
        <translation>{name} wird geladen… {percent} %</translation>
    </message>
    <message>
        <source>{name} is not a GGUF model file, although its name says so. It came from {host}.</source>
        <translation>{name} ist keine GGUF-Modelldatei, obwohl der Name das sagt. Sie kam von {host}.</translation>
    </message>
    <message>
        <source>{name} is not used: the current llama.cpp build does not support it. A runtime with {helps} may.</source>
        <translation>{name} wird nicht genutzt: Der aktuelle llama.cpp-Build unterstützt sie nicht. Eine Runtime mit {helps} vielleicht.</translation>
    </message>
    <message>
        <source>{name} is not used: the runtime “{runtime}” does not support it. A runtime with {helps} may.</source>
        <translation>{name} wird nicht genutzt: Die Runtime „{runtime}“ unterstützt sie nicht. Eine Runtime mit {helps} vielleicht.</translation>
    </message>
    <message>
        <source>{name} is not used: {builds} did not find it. Its driver may be outdated or incomplete, or an environment variable hides it.</source>
        <translation>{name} wird nicht genutzt: {builds} hat sie nicht gefunden. Ihr Treiber ist vielleicht veraltet oder unvollständig, oder eine Umgebungsvariable verbirgt sie.</translation>
    </message>
    <message>
        <source>{name} is queued to load.</source>
        <translation>{name} wartet auf das Laden.</translation>
    </message>
    <message>
        <source>{name} is ready</source>
        <translation>{name} ist bereit</translation>
    </message>
    <message>
        <source>{name} is ready.</source>
        <translation>{name} ist bereit.</translation>
    </message>
    <message>
        <source>{name} is still loaded with its previous settings.</source>
        <translation>{name} ist noch mit den vorherigen Einstellungen geladen.</translation>
    </message>
    <message>
        <source>{name} is the fastest good model for this computer</source>
        <translation>{name} ist das schnellste gute Modell für diesen Computer</translation>
    </message>
    <message>
        <source>{name} loads with your first message.</source>
        <translation>{name} wird mit deiner ersten Nachricht geladen.</translation>
    </message>
    <message>
        <source>{name} needs a value.</source>
        <translation>{name} braucht einen Wert.</translation>
    </message>
    <message>
        <source>{name} suits this computer</source>
        <translation>{name} passt zu diesem Computer</translation>
    </message>
    <message>
        <source>{name}, in this chat only</source>
        <translation>{name}, nur in diesem Chat</translation>
    </message>
    <message>
        <source>{name}, {percent}. {place} of {all}</source>
        <translation>{name}, {percent}. {place} von {all}</translation>
    </message>
    <message>
        <source>{name}, {state}, chosen</source>
        <translation>{name}, {state}, gewählt</translation>
    </message>
    <message>
        <source>{name}: at least {n}.</source>
        <translation>{name}: mindestens {n}.</translation>
    </message>
    <message>
        <source>{name}: at most {n}.</source>
        <translation>{name}: höchstens {n}.</translation>
    </message>
    <message>
        <source>{name}: needs a value.</source>
        <translation>{name}: braucht einen Wert.</translation>
    </message>
    <message>
        <source>{name}: not JSON.</source>
        <translation>{name}: kein JSON.</translation>
    </message>
    <message>
        <source>{name}: not a number.</source>
        <translation>{name}: keine Zahl.</translation>
    </message>
    <message>
        <source>{name}: one of {values}.</source>
        <translation>{name}: eins von {values}.</translation>
    </message>
    <message>
        <source>{name}: prompt {prefill}, generation {decode} tokens/s</source>
        <translation>{name}: Prompt {prefill}, Generierung {decode} Tokens/s</translation>
    </message>
    <message>
        <source>{name}: true or false.</source>
        <translation>{name}: true oder false.</translation>
    </message>
    <message>
        <source>{name}: {reason}</source>
        <translation>{name}: {reason}</translation>
    </message>
    <message>
        <source>{name}: {size} of {free} free</source>
        <translation>{name}: {size} von {free} frei</translation>
    </message>
    <message>
        <source>{name}: {taken} of {total}, {free} free</source>
        <translation>{name}: {taken} von {total}, {free} frei</translation>
    </message>
    <message>
        <source>{name}: {taken} of {total}, {over} too much</source>
        <translation>{name}: {taken} von {total}, {over} zu viel</translation>
    </message>
    <message>
        <source>{number} of the backups are damaged and were not encrypted: anybody can read what is left of them. Delete them in the folder of backups.</source>
        <translation>{number} der Sicherungen sind beschädigt und wurden nicht verschlüsselt: Jeder kann lesen, was davon übrig ist. Im Ordner der Sicherungen löschen.</translation>
    </message>
    <message>
        <source>{number} of {count}</source>
        <translation>{number} von {count}</translation>
    </message>
    <message>
        <source>{n} are more than {most}.</source>
        <translation>{n} sind mehr als {most}.</translation>
    </message>
    <message>
        <source>{n} context or more</source>
        <translation>{n} Kontext oder mehr</translation>
    </message>
    <message numerus="yes">
        <source>{n} of %n model|{n} of %n models</source>
        <translation>
            <numerusform>{n} von %n Modell</numerusform>
            <numerusform>{n} von %n Modellen</numerusform>
        </translation>
    </message>
    <message>
        <source>{n} of its slides are hidden; their text was read too.</source>
        <translation>{n} Folien sind ausgeblendet; ihr Text wurde mitgelesen.</translation>
    </message>
    <message>
        <source>{n} of {n_all}</source>
        <translation>{n} von {n_all}</translation>
    </message>
    <message>
        <source>{n} of {n_all} layers on the GPU</source>
        <translation>{n} von {n_all} Schichten auf der GPU</translation>
    </message>
    <message>
        <source>{n} of {n_all} layers run on {gpu}, the rest on the CPU</source>
        <translation>{n} von {n_all} Schichten laufen auf {gpu}, der Rest auf der CPU</translation>
    </message>
    <message>
        <source>{n} of {n_all} layers run on {gpu}, the rest on the CPU; {gpu} are full</source>
        <translation>{n} von {n_all} Schichten laufen auf {gpu}, der Rest auf der CPU; {gpu} sind voll</translation>
    </message>
    <message>
        <source>{n} of {n_all} layers run on {gpu}, the rest on the CPU; {gpu} is full</source>
        <translation>{n} von {n_all} Schichten laufen auf {gpu}, der Rest auf der CPU; {gpu} ist voll</translation>
    </message>
    <message>
        <source>{n} pages could not be read: {pages}.</source>
        <translation>{n} Seiten waren nicht lesbar: {pages}.</translation>
    </message>
    <message>
        <source>{n} parallel requests need a micro-batch size of {least} or more.</source>
        <translation>{n} parallele Anfragen brauchen eine Micro-Batch-Größe von mindestens {least}.</translation>
    </message>
    <message>
        <source>{n} repetitions are too many, at most {most} are counted.</source>
        <translation>{n} Wiederholungen sind zu viele, gezählt wird bis {most}.</translation>
    </message>
    <message>
        <source>{n}×</source>
        <translation>{n}×</translation>
    </message>
    <message>
        <source>{pages} and others</source>
        <translation>{pages} und weitere</translation>
    </message>
    <message>
        <source>{page} A sign-in page or a proxy may be in between: open the address in a browser.</source>
        <translation>{page} Vielleicht ist eine Anmeldeseite oder ein Proxy dazwischen: Öffne die Adresse im Browser.</translation>
    </message>
    <message>
        <source>{params} parameters</source>
        <translation>{params} Parameter</translation>
    </message>
    <message>
        <source>{part} of {whole}</source>
        <translation>{part} von {whole}</translation>
    </message>
    <message>
        <source>{part} of {whole} bytes</source>
        <translation>{part} von {whole} Byte</translation>
    </message>
    <message numerus="yes">
        <source>{part}: %n token|{part}: %n tokens</source>
        <translation>
            <numerusform>{part}: %n Token</numerusform>
            <numerusform>{part}: %n Tokens</numerusform>
        </translation>
    </message>
    <message>
        <source>{path} (added)</source>
        <translation>{path} (hinzugefügt)</translation>
    </message>
    <message>
        <source>{path} (removed)</source>
        <translation>{path} (entfernt)</translation>
    </message>
    <message>
        <source>{path} cannot be changed: {reason}</source>
        <translation>{path} lässt sich nicht ändern: {reason}</translation>
    </message>
    <message>
        <source>{path} cannot be checked: {reason}</source>
        <translation>{path} kann nicht geprüft werden: {reason}</translation>
    </message>
    <message>
        <source>{path} cannot be used ({reason}). It is left as it is. {loss}</source>
        <translation>{path} ist nicht verwendbar ({reason}). Die Datei bleibt, wie sie ist. {loss}</translation>
    </message>
    <message>
        <source>{path} cannot be used: {reason}.</source>
        <translation>{path} kann nicht verwendet werden: {reason}.</translation>
    </message>
    <message>
        <source>{path} cannot be written: {reason}</source>
        <translation>{path} kann nicht geschrieben werden: {reason}</translation>
    </message>
    <message>
        <source>{path} is damaged ({reason}). It was kept as {kept_as}. {loss}</source>
        <translation>{path} ist beschädigt ({reason}). Aufbewahrt als {kept_as}. {loss}</translation>
    </message>
    <message>
        <source>{path} is missing or cannot be opened.</source>
        <translation>{path} fehlt oder lässt sich nicht öffnen.</translation>
    </message>
    <message>
        <source>{percent}%</source>
        <translation>{percent} %</translation>
    </message>
    <message>
        <source>{percent}% busy</source>
        <translation>{percent} % ausgelastet</translation>
    </message>
    <message>
        <source>{percent}% of the text</source>
        <translation>{percent} % des Textes</translation>
    </message>
    <message numerus="yes">
        <source>{place} and %n more|{place} and %n more</source>
        <translation>
            <numerusform>{place} und %n weiterer</numerusform>
            <numerusform>{place} und %n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>{place} of {total}</source>
        <translation>{place} von {total}</translation>
    </message>
    <message>
        <source>{preset} (modified)</source>
        <translation>{preset} (geändert)</translation>
    </message>
    <message>
        <source>{program} could not be started: {reason}.</source>
        <translation>{program} konnte nicht gestartet werden: {reason}.</translation>
    </message>
    <message>
        <source>{program} downloads it when it starts, which needs the network.</source>
        <translation>{program} lädt ihn beim Start herunter und braucht dafür das Netzwerk.</translation>
    </message>
    <message>
        <source>{program} downloads it, which needs the network. Allow that under “Access…”, or in a terminal add it again with --network.</source>
        <translation>{program} lädt ihn herunter und braucht dafür das Netzwerk. Erlaube es unter „Zugang…“, oder füge ihn in einem Terminal mit --network neu hinzu.</translation>
    </message>
    <message>
        <source>{rate} kHz</source>
        <translation>{rate} kHz</translation>
    </message>
    <message numerus="yes">
        <source>{read} of %n page read by {model}|{read} of %n pages read by {model}</source>
        <translation>
            <numerusform>{read} von %n Seite gelesen von {model}</numerusform>
            <numerusform>{read} von %n Seiten gelesen von {model}</numerusform>
        </translation>
    </message>
    <message>
        <source>{repo} has a newer file ({size_bytes}). Your file is kept until the download is complete.</source>
        <translation>{repo} hat eine neuere Datei ({size_bytes}). Deine bleibt, bis der Download fertig ist.</translation>
    </message>
    <message>
        <source>{repo} has no GGUF files.</source>
        <translation>{repo} hat keine GGUF-Dateien.</translation>
    </message>
    <message>
        <source>{repo} has no “{wanted}”. Available: {available}.</source>
        <translation>{repo} hat kein „{wanted}“. Verfügbar: {available}.</translation>
    </message>
    <message>
        <source>{repo} is gated: accept its terms on {page}</source>
        <translation>{repo} ist zugangsbeschränkt: Nimm die Bedingungen an auf {page}</translation>
    </message>
    <message numerus="yes">
        <source>{searchable} of %n file searchable|{searchable} of %n files searchable</source>
        <translation>
            <numerusform>{searchable} von %n Datei durchsuchbar</numerusform>
            <numerusform>{searchable} von %n Dateien durchsuchbar</numerusform>
        </translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} s</translation>
    </message>
    <message>
        <source>{second} and {first} cannot be told apart by these questions ({low} to {high} percentage points).</source>
        <translation>{second} und {first} sind mit diesen Fragen nicht zu unterscheiden ({low} bis {high} Prozentpunkte).</translation>
    </message>
    <message>
        <source>{second} answers {gap} percentage points better than {first} ({low} to {high}).</source>
        <translation>{second} antwortet um {gap} Prozentpunkte besser als {first} ({low} bis {high}).</translation>
    </message>
    <message>
        <source>{second} answers {gap} percentage points worse than {first} ({low} to {high}).</source>
        <translation>{second} antwortet um {gap} Prozentpunkte schlechter als {first} ({low} bis {high}).</translation>
    </message>
    <message>
        <source>{sent} sent, {received} received</source>
        <translation>{sent} gesendet, {received} empfangen</translation>
    </message>
    <message numerus="yes">
        <source>{server} answered in {seconds} s: %n model|{server} answered in {seconds} s: %n models</source>
        <translation>
            <numerusform>{server} hat in {seconds} s geantwortet: %n Modell</numerusform>
            <numerusform>{server} hat in {seconds} s geantwortet: %n Modelle</numerusform>
        </translation>
    </message>
    <message>
        <source>{server} asks you</source>
        <translation>{server} fragt dich</translation>
    </message>
    <message>
        <source>{server} asks: {message}</source>
        <translation>{server} fragt: {message}</translation>
    </message>
    <message numerus="yes">
        <source>{shown} of %n character|{shown} of %n characters</source>
        <translation>
            <numerusform>{shown} von %n Zeichen</numerusform>
            <numerusform>{shown} von %n Zeichen</numerusform>
        </translation>
    </message>
    <message>
        <source>{size} (would be taken)</source>
        <translation>{size} (würde belegt)</translation>
    </message>
    <message>
        <source>{size} behind its last tensor belong to none; the file is damaged, or was joined from parts that are files of their own.</source>
        <translation>Hinter dem letzten Tensor stehen {size}, die zu keinem gehören; die Datei ist beschädigt oder aus Teilen zusammengefügt, die eigene Dateien sind.</translation>
    </message>
    <message>
        <source>{size} download</source>
        <translation>{size} Download</translation>
    </message>
    <message>
        <source>{size} file</source>
        <translation>Datei {size}</translation>
    </message>
    <message numerus="yes">
        <source>{size} in %n file|{size} in %n files</source>
        <translation>
            <numerusform>{size} in %n Datei</numerusform>
            <numerusform>{size} in %n Dateien</numerusform>
        </translation>
    </message>
    <message>
        <source>{size} in duplicates.</source>
        <translation>{size} durch Duplikate.</translation>
    </message>
    <message>
        <source>{size} left</source>
        <translation>noch {size}</translation>
    </message>
    <message>
        <source>{size} needed, {free} free.</source>
        <translation>{size} nötig, {free} frei.</translation>
    </message>
    <message>
        <source>{size} of memory</source>
        <translation>{size} Speicher</translation>
    </message>
    <message>
        <source>{size} of memory now</source>
        <translation>gerade {size} Arbeitsspeicher</translation>
    </message>
    <message>
        <source>{size} of memory of {device}</source>
        <translation>{size} Speicher von {device}</translation>
    </message>
    <message>
        <source>{size} to download. Licences: {licences}.</source>
        <translation>{size} herunterzuladen. Lizenzen: {licences}.</translation>
    </message>
    <message>
        <source>{size}, does not fit</source>
        <translation>{size}, passt nicht</translation>
    </message>
    <message>
        <source>{size}, does not fit right now</source>
        <translation>{size}, passt gerade nicht</translation>
    </message>
    <message>
        <source>{size}, fits</source>
        <translation>{size}, passt</translation>
    </message>
    <message>
        <source>{size}, fits partly</source>
        <translation>{size}, passt teilweise</translation>
    </message>
    <message>
        <source>{speed} beside a busy program</source>
        <translation>{speed} neben anderer Last</translation>
    </message>
    <message>
        <source>{speed} tokens/s</source>
        <translation>{speed} Tokens/s</translation>
    </message>
    <message>
        <source>{time} at {speed} Mbit/s</source>
        <translation>{time} bei {speed} Mbit/s</translation>
    </message>
    <message>
        <source>{time} left</source>
        <translation>noch {time}</translation>
    </message>
    <message>
        <source>{title} (archived)</source>
        <translation>{title} (archiviert)</translation>
    </message>
    <message numerus="yes">
        <source>{title}, found in %n message|{title}, found in %n messages</source>
        <translation>
            <numerusform>{title}, gefunden in %n Nachricht</numerusform>
            <numerusform>{title}, gefunden in %n Nachrichten</numerusform>
        </translation>
    </message>
    <message>
        <source>{title}, sorted ascending</source>
        <translation>{title}, aufsteigend sortiert</translation>
    </message>
    <message>
        <source>{title}, sorted descending</source>
        <translation>{title}, absteigend sortiert</translation>
    </message>
    <message>
        <source>{tokens}, {percent}% of the context.</source>
        <translation>{tokens}, {percent} % des Kontexts.</translation>
    </message>
    <message>
        <source>{token}, chosen</source>
        <translation>{token}, gewählt</translation>
    </message>
    <message numerus="yes">
        <source>{used} of %n token|{used} of %n tokens</source>
        <translation>
            <numerusform>{used} von %n Token</numerusform>
            <numerusform>{used} von %n Tokens</numerusform>
        </translation>
    </message>
    <message>
        <source>{value} is not between {low} and {high}.</source>
        <translation>{value} liegt nicht zwischen {low} und {high}.</translation>
    </message>
    <message>
        <source>{verdict}: {amount} of memory</source>
        <translation>{verdict}: {amount} Arbeitsspeicher</translation>
    </message>
    <message>
        <source>{verdict}: {amount} on the GPU</source>
        <translation>{verdict}: {amount} auf der GPU</translation>
    </message>
    <message>
        <source>{verdict}: {amount} on {device}</source>
        <translation>{verdict}: {amount} auf {device}</translation>
    </message>
    <message>
        <source>{wanted} (not installed)</source>
        <translation>{wanted} (nicht vorhanden)</translation>
    </message>
    <message>
        <source>{what} are nested too deeply.</source>
        <translation>{what} sind zu tief verschachtelt.</translation>
    </message>
    <message>
        <source>{what} are not JSON.</source>
        <translation>{what} sind kein JSON.</translation>
    </message>
    <message>
        <source>{what} are not a JSON object.</source>
        <translation>{what} sind kein JSON-Objekt.</translation>
    </message>
    <message>
        <source>{what} cannot be used: {reason}</source>
        <translation>{what} ist nicht verwendbar: {reason}</translation>
    </message>
    <message>
        <source>{what}: not available ({reason}). Nothing was deleted. Restart Fireside; its log has the details.</source>
        <translation>{what}: nicht verfügbar ({reason}). Nichts wurde gelöscht. Starte Fireside neu; Einzelheiten stehen im Protokoll.</translation>
    </message>
    <message>
        <source>{why} Resumes when there is space.</source>
        <translation>{why} Wird fortgesetzt, sobald Platz ist.</translation>
    </message>
    <message>
        <source>{why} Retrying in {wait}.</source>
        <translation>{why} Neuer Versuch in {wait}.</translation>
    </message>
    <message>
        <source>{why}.</source>
        <translation>{why}.</translation>
    </message>
    <message>
        <source>{words}: summary</source>
        <translation>{words}: Zusammenfassung</translation>
    </message>
    <message>
        <source>“Save to file” keeps the values in a file that is not encrypted.</source>
        <translation>„In Datei speichern“ legt die Werte in einer unverschlüsselten Datei ab.</translation>
    </message>
    <message>
        <source>“{changed}” in it is damaged.</source>
        <translation>„{changed}“ darin ist beschädigt.</translation>
    </message>
    <message>
        <source>“{changed}” in it was modified after it was added.</source>
        <translation>„{changed}“ darin wurde nach dem Hinzufügen verändert.</translation>
    </message>
    <message>
        <source>“{chosen}” cannot be used; the built-in runtime is active instead.</source>
        <translation>„{chosen}“ ist nicht verwendbar; stattdessen ist die integrierte Runtime aktiv.</translation>
    </message>
    <message>
        <source>“{draft}” cannot be its draft model: it cannot roll back tokens.</source>
        <translation>„{draft}“ kann nicht das Entwurfsmodell sein: Es kann keine Tokens zurücknehmen.</translation>
    </message>
    <message>
        <source>“{draft}” cannot be its draft model: {why}. Choose a model of the same family.</source>
        <translation>„{draft}“ kann nicht das Entwurfsmodell sein: {why}. Wähle ein Modell derselben Familie.</translation>
    </message>
    <message>
        <source>“{draft}” is a drafter of another kind ({kind}). It needs {function}, which Fireside’s build of llama.cpp does not offer yet. Choose a small model of the same family.</source>
        <translation>„{draft}“ ist ein Entwerfer anderer Art ({kind}). Er braucht {function}, was Firesides Build von llama.cpp noch nicht anbietet. Wähle ein kleines Modell derselben Familie.</translation>
    </message>
    <message>
        <source>“{draft}” is a drafter of another kind ({kind}). It reads the KV cache of the model it drafts for, which Fireside does not support yet. Choose a small model of the same family.</source>
        <translation>„{draft}“ ist ein Entwerfer anderer Art ({kind}). Er liest den KV-Cache des Modells, für das er entwirft, was Fireside noch nicht unterstützt. Wähle ein kleines Modell derselben Familie.</translation>
    </message>
    <message>
        <source>“{file}” is not a projector.</source>
        <translation>„{file}“ ist kein Projektor.</translation>
    </message>
    <message>
        <source>“{key}” at {where} cannot be enforced.</source>
        <translation>„{key}“ bei {where} lässt sich nicht erzwingen.</translation>
    </message>
    <message>
        <source>“{key}” holds no names and values.</source>
        <translation>„{key}“ enthält keine Namen und Werte.</translation>
    </message>
    <message>
        <source>“{key}” is no text.</source>
        <translation>„{key}“ ist kein Text.</translation>
    </message>
    <message>
        <source>“{message}”.</source>
        <translation>„{message}“.</translation>
    </message>
    <message>
        <source>“{name}”</source>
        <translation>„{name}“</translation>
    </message>
    <message>
        <source>“{name}” at {host} takes no tools: {reason}</source>
        <translation>„{name}“ bei {host} nimmt keine Werkzeuge an: {reason}</translation>
    </message>
    <message>
        <source>“{name}” cannot be attached: {reason}</source>
        <translation>„{name}“ kann nicht angehängt werden: {reason}</translation>
    </message>
    <message>
        <source>“{name}” cannot be deleted here</source>
        <translation>„{name}“ kann hier nicht gelöscht werden</translation>
    </message>
    <message>
        <source>“{name}” cannot be shown as pages: {reason}</source>
        <translation>„{name}“ lässt sich nicht als Seiten zeigen: {reason}</translation>
    </message>
    <message>
        <source>“{name}” could not be downloaded from {host}: {reason}</source>
        <translation>„{name}“ konnte nicht von {host} geladen werden: {reason}</translation>
    </message>
    <message>
        <source>“{name}” could not be unpacked: {reason}</source>
        <translation>„{name}“ konnte nicht entpackt werden: {reason}</translation>
    </message>
    <message>
        <source>“{name}” deleted</source>
        <translation>„{name}“ gelöscht</translation>
    </message>
    <message>
        <source>“{name}” failed on this computer</source>
        <translation>„{name}“ ist auf diesem Computer fehlgeschlagen</translation>
    </message>
    <message>
        <source>“{name}” has just changed.</source>
        <translation>„{name}“ hat sich gerade geändert.</translation>
    </message>
    <message>
        <source>“{name}” in it cannot be unpacked.</source>
        <translation>„{name}“ darin lässt sich nicht entpacken.</translation>
    </message>
    <message>
        <source>“{name}” in it is a link, or has a name that not every system can have.</source>
        <translation>„{name}“ darin ist ein Link oder hat einen Namen, den nicht jedes System erlaubt.</translation>
    </message>
    <message>
        <source>“{name}” in it is larger than it says.</source>
        <translation>„{name}“ darin ist größer als angegeben.</translation>
    </message>
    <message>
        <source>“{name}” in it is longer than it says.</source>
        <translation>„{name}“ darin ist länger als angegeben.</translation>
    </message>
    <message>
        <source>“{name}” in it is neither a file nor a folder.</source>
        <translation>„{name}“ darin ist weder Datei noch Ordner.</translation>
    </message>
    <message>
        <source>“{name}” in it is not a library.</source>
        <translation>„{name}“ darin ist keine Bibliothek.</translation>
    </message>
    <message>
        <source>“{name}” in it would be {file_size} large.</source>
        <translation>„{name}“ darin wäre {file_size} groß.</translation>
    </message>
    <message>
        <source>“{name}” is a link to a file outside of it.</source>
        <translation>„{name}“ verweist auf eine Datei außerhalb.</translation>
    </message>
    <message>
        <source>“{name}” is damaged</source>
        <translation>„{name}“ ist beschädigt</translation>
    </message>
    <message>
        <source>“{name}” is in it twice.</source>
        <translation>„{name}“ ist zweimal darin.</translation>
    </message>
    <message>
        <source>“{name}” is larger than {size}.</source>
        <translation>„{name}“ ist größer als {size}.</translation>
    </message>
    <message>
        <source>“{name}” is missing in it.</source>
        <translation>„{name}“ fehlt darin.</translation>
    </message>
    <message>
        <source>“{name}” is needed for this preview</source>
        <translation>Für diese Vorschau wird „{name}“ gebraucht</translation>
    </message>
    <message>
        <source>“{name}” is needed for this, and is not part of the package. Download it first.</source>
        <translation>Dafür wird „{name}“ gebraucht, das nicht im Paket enthalten ist. Lade es zuerst herunter.</translation>
    </message>
    <message>
        <source>“{name}” is not a model on Hugging Face: {reason}</source>
        <translation>„{name}“ ist kein Modell auf Hugging Face: {reason}</translation>
    </message>
    <message>
        <source>“{name}” is not available for this computer: {value} has no build for it.</source>
        <translation>„{name}“ gibt es für diesen Computer nicht: {value} hat keinen Build dafür.</translation>
    </message>
    <message>
        <source>“{name}” is removed from the list. Its file stays in place.</source>
        <translation>„{name}“ wird aus der Liste entfernt. Die Datei bleibt, wo sie ist.</translation>
    </message>
    <message>
        <source>“{name}” is used from the next load</source>
        <translation>„{name}“ gilt ab dem nächsten Laden</translation>
    </message>
    <message>
        <source>“{name}” moved to trash</source>
        <translation>„{name}“ in den Papierkorb verschoben</translation>
    </message>
    <message>
        <source>“{name}” moved to trash; emptying it frees {freed_bytes}</source>
        <translation>„{name}“ in den Papierkorb verschoben; ihn zu leeren gibt {freed_bytes} frei</translation>
    </message>
    <message>
        <source>“{name}” moves to the trash. Emptying it frees {size}.</source>
        <translation>„{name}“ kommt in den Papierkorb. Ihn zu leeren gibt {size} frei.</translation>
    </message>
    <message>
        <source>“{name}” moves to the trash. That frees no space: the file is also linked elsewhere.</source>
        <translation>„{name}“ kommt in den Papierkorb. Das gibt keinen Platz frei: Die Datei ist noch anderswo verlinkt.</translation>
    </message>
    <message>
        <source>“{name}” removed</source>
        <translation>„{name}“ entfernt</translation>
    </message>
    <message>
        <source>“{name}” removed from the list; its files stay</source>
        <translation>„{name}“ aus der Liste entfernt; die Dateien bleiben</translation>
    </message>
    <message>
        <source>“{name}” repaired</source>
        <translation>„{name}“ repariert</translation>
    </message>
    <message>
        <source>“{name}” verified</source>
        <translation>„{name}“ geprüft</translation>
    </message>
    <message>
        <source>“{name}” was disabled: {reason} Models use the built-in runtime until it passes its test again.</source>
        <translation>„{name}“ wurde deaktiviert: {reason} Modelle nutzen die integrierte Runtime, bis sie ihren Test wieder besteht.</translation>
    </message>
    <message>
        <source>“{name}” was not downloaded: {reason}</source>
        <translation>„{name}“ wurde nicht heruntergeladen: {reason}</translation>
    </message>
    <message>
        <source>“{name}” was skipped: {sentence}</source>
        <translation>„{name}“ wurde übersprungen: {sentence}</translation>
    </message>
    <message>
        <source>“{name}” works on this computer</source>
        <translation>„{name}“ läuft auf diesem Computer</translation>
    </message>
    <message numerus="yes">
        <source>“{name}”: limit %n character|“{name}”: limit %n characters</source>
        <translation>
            <numerusform>„{name}“: höchstens %n Zeichen</numerusform>
            <numerusform>„{name}“: höchstens %n Zeichen</numerusform>
        </translation>
    </message>
    <message>
        <source>“{name}”: {reason}</source>
        <translation>„{name}“: {reason}</translation>
    </message>
    <message>
        <source>“{part}” has invalid characters.</source>
        <translation>„{part}“ enthält ungültige Zeichen.</translation>
    </message>
    <message>
        <source>“{path}” was not written: {reason}</source>
        <translation>„{path}“ wurde nicht geschrieben: {reason}</translation>
    </message>
    <message>
        <source>“{pattern}” is not a valid regular expression.</source>
        <translation>„{pattern}“ ist kein gültiger regulärer Ausdruck.</translation>
    </message>
    <message>
        <source>“{repo}” is not a model.</source>
        <translation>„{repo}“ ist kein Modell.</translation>
    </message>
    <message>
        <source>“{shown}” is invalid. Write a token number, an equals sign, and “never” or a number from −1,000 to 1,000.</source>
        <translation>„{shown}“ ist ungültig. Schreib eine Token-Nummer, ein Gleichheitszeichen und „never“ oder eine Zahl von −1.000 bis 1.000.</translation>
    </message>
    <message>
        <source>“{source}” cannot be added: {reason}</source>
        <translation>„{source}“ kann nicht hinzugefügt werden: {reason}</translation>
    </message>
    <message>
        <source>“{text}” is none of {names}.</source>
        <translation>„{text}“ gehört nicht zu: {names}.</translation>
    </message>
    <message>
        <source>“{text}” is not a URL. It must start with “https://”.</source>
        <translation>„{text}“ ist keine URL. Sie muss mit „https://“ beginnen.</translation>
    </message>
    <message>
        <source>“{text}” is not a number from 0 to {most}.</source>
        <translation>„{text}“ ist keine Zahl von 0 bis {most}.</translation>
    </message>
    <message>
        <source>“{text}” is not a number from −{most} to {most}.</source>
        <translation>„{text}“ ist keine Zahl von −{most} bis {most}.</translation>
    </message>
    <message>
        <source>“{text}” is not a number or a range such as 4-7.</source>
        <translation>„{text}“ ist keine Zahl und kein Bereich wie 4-7.</translation>
    </message>
    <message>
        <source>“{text}” is not a valid regular expression.</source>
        <translation>„{text}“ ist kein gültiger regulärer Ausdruck.</translation>
    </message>
    <message>
        <source>“{text}” is not “name=type:value”, with the type int, float, bool or str.</source>
        <translation>„{text}“ ist nicht „Name=Typ:Wert“ mit dem Typ int, float, bool oder str.</translation>
    </message>
    <message>
        <source>“{text}” is not “pattern=device”.</source>
        <translation>„{text}“ ist nicht „Muster=Gerät“.</translation>
    </message>
    <message>
        <source>“{title}”</source>
        <translation>„{title}“</translation>
    </message>
    <message>
        <source>“{title}” reports these errors. Please correct them and give me the whole of it.</source>
        <translation>„{title}“ meldet diese Fehler. Bitte korrigiere sie und gib mir das Ganze.</translation>
    </message>
    <message>
        <source>“{token}”   {percent}</source>
        <translation>„{token}“   {percent}</translation>
    </message>
    <message>
        <source>“{what}” was not found on Hugging Face, or is private. For private models, set an access token in the settings.</source>
        <translation>„{what}“ wurde auf Hugging Face nicht gefunden oder ist privat. Hinterlege für private Modelle ein Zugriffstoken in den Einstellungen.</translation>
    </message>
    <message>
        <source>“{word}”</source>
        <translation>„{word}“</translation>
    </message>
    <message numerus="yes">
        <source>… and %n more character|… and %n more characters</source>
        <translation>
            <numerusform>… und %n weiteres Zeichen</numerusform>
            <numerusform>… und %n weitere Zeichen</numerusform>
        </translation>
    </message>
    <message>
        <source>↑ ↓ to select   ·   Enter or Tab to insert   ·   Esc to dismiss</source>
        <translation>↑ ↓ wählt   ·   Enter oder Tab fügt ein   ·   Esc schließt</translation>
    </message>
    <message>
        <source>↑ ↓ to select   ·   Enter to run   ·   Esc to close</source>
        <translation>↑ ↓ wählt   ·   Enter führt aus   ·   Esc schließt</translation>
    </message>
    <message>
        <source>⟨token {token}⟩</source>
        <translation>⟨Token {token}⟩</translation>
    </message>
</context>
</TS>

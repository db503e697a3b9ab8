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
        <source>%n ahead|%n ahead</source>
        <translation>
            <numerusform>noch %n davor</numerusform>
            <numerusform>noch %n davor</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n answer at a time|%n answers at a time</source>
        <translation>
            <numerusform>%n Antwort zugleich</numerusform>
            <numerusform>%n Antworten zugleich</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n answer, compare again|%n answers, compare again</source>
        <translation>
            <numerusform>%n Antwort, wieder vergleichen</numerusform>
            <numerusform>%n Antworten, wieder vergleichen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n brought back.|%n brought back.</source>
        <translation>
            <numerusform>%n zurückgeholt.</numerusform>
            <numerusform>%n zurückgeholt.</numerusform>
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
            <numerusform>%n schon gelesen</numerusform>
            <numerusform>%n schon gelesen</numerusform>
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
        <source>%n chat imported.|%n chats imported.</source>
        <translation>
            <numerusform>%n Chat importiert.</numerusform>
            <numerusform>%n Chats importiert.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat so far|%n chats so far</source>
        <translation>
            <numerusform>bisher %n Chat</numerusform>
            <numerusform>bisher %n Chats</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat was there already.|%n chats were there already.</source>
        <translation>
            <numerusform>%n Chat war schon da.</numerusform>
            <numerusform>%n Chats waren schon da.</numerusform>
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
        <source>%n core|%n cores</source>
        <translation>
            <numerusform>%n Kern</numerusform>
            <numerusform>%n Kerne</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n could not be imported:|%n could not be imported:</source>
        <translation>
            <numerusform>%n konnte nicht importiert werden:</numerusform>
            <numerusform>%n konnten nicht importiert werden:</numerusform>
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
        <source>%n failed|%n failed</source>
        <comment>downloads</comment>
        <translation>
            <numerusform>%n gescheitert</numerusform>
            <numerusform>%n gescheitert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file was left out: a message takes {most} at most.|%n files were left out: a message takes {most} at most.</source>
        <translation>
            <numerusform>%n Datei wurde weggelassen: Eine Nachricht nimmt höchstens {most} mit.</numerusform>
            <numerusform>%n Dateien wurden weggelassen: Eine Nachricht nimmt höchstens {most} mit.</numerusform>
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
        <source>%n graphics card|%n graphics cards</source>
        <translation>
            <numerusform>%n Grafikkarte</numerusform>
            <numerusform>%n Grafikkarten</numerusform>
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
        <source>%n in the queue|%n in the queue</source>
        <comment>downloads</comment>
        <translation>
            <numerusform>%n in der Warteschlange</numerusform>
            <numerusform>%n in der Warteschlange</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n kept on disk|%n kept on disk</source>
        <translation>
            <numerusform>%n auf der Festplatte aufgehoben</numerusform>
            <numerusform>%n auf der Festplatte aufgehoben</numerusform>
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
        <source>%n message more|%n messages more</source>
        <translation>
            <numerusform>%n weitere Nachricht</numerusform>
            <numerusform>%n weitere Nachrichten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message waits for you to send it|%n messages wait for you to send them</source>
        <translation>
            <numerusform>%n Nachricht wartet, bis du sie sendest</numerusform>
            <numerusform>%n Nachrichten warten, bis du sie sendest</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message waits until the answer is done|%n messages wait until the answer is done</source>
        <translation>
            <numerusform>%n Nachricht wartet, bis die Antwort fertig ist</numerusform>
            <numerusform>%n Nachrichten warten, bis die Antwort fertig ist</numerusform>
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
        <source>%n model takes {size} in {folders}.|%n models take {size} in {folders}.</source>
        <translation>
            <numerusform>%n Modell belegt {size} in {folders}.</numerusform>
            <numerusform>%n Modelle belegen {size} in {folders}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n model, that is all.|%n models, that is all.</source>
        <translation>
            <numerusform>%n Modell, das ist alles.</numerusform>
            <numerusform>%n Modelle, das ist alles.</numerusform>
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
        <source>%n page|%n pages</source>
        <translation>
            <numerusform>%n Seite</numerusform>
            <numerusform>%n Seiten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n paused|%n paused</source>
        <comment>downloads</comment>
        <translation>
            <numerusform>%n angehalten</numerusform>
            <numerusform>%n angehalten</numerusform>
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
            <numerusform>%n Voreinstellung hinzugefügt.</numerusform>
            <numerusform>%n Voreinstellungen hinzugefügt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n preset exported.|%n presets exported.</source>
        <translation>
            <numerusform>%n Voreinstellung exportiert.</numerusform>
            <numerusform>%n Voreinstellungen exportiert.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n request is waiting already. Try again when it is done.|%n requests are waiting already. Try again when some are done.</source>
        <translation>
            <numerusform>%n Anfrage wartet schon. Versuche es wieder, wenn sie erledigt ist.</numerusform>
            <numerusform>%n Anfragen warten schon. Versuche es wieder, wenn einige erledigt sind.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n runner ended while it started.|%n runners in a row ended while they started.</source>
        <translation>
            <numerusform>%n Rechenprozess endete beim Starten.</numerusform>
            <numerusform>%n Rechenprozesse in Folge endeten beim Starten.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n running|%n running</source>
        <comment>downloads</comment>
        <translation>
            <numerusform>%n läuft</numerusform>
            <numerusform>%n laufen</numerusform>
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
        <source>%n size|%n sizes</source>
        <translation>
            <numerusform>%n Größe</numerusform>
            <numerusform>%n Größen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n still in memory|%n still in memory</source>
        <translation>
            <numerusform>%n noch im Speicher</numerusform>
            <numerusform>%n noch im Speicher</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n still in the context|%n still in the context</source>
        <translation>
            <numerusform>%n noch im Kontext</numerusform>
            <numerusform>%n noch im Kontext</numerusform>
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
        <source>%n thread for reading|%n threads for reading</source>
        <translation>
            <numerusform>%n Rechenfaden zum Lesen</numerusform>
            <numerusform>%n Rechenfäden zum Lesen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thread|%n threads</source>
        <translation>
            <numerusform>%n Rechenfaden</numerusform>
            <numerusform>%n Rechenfäden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thread|%n threads</source>
        <comment>of a processor</comment>
        <translation>
            <numerusform>%n Rechenfaden</numerusform>
            <numerusform>%n Rechenfäden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token at once|%n tokens at once</source>
        <translation>
            <numerusform>%n Token auf einmal</numerusform>
            <numerusform>%n Token auf einmal</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token was kept on disk|%n tokens were kept on disk</source>
        <translation>
            <numerusform>%n Token war auf der Festplatte aufgehoben</numerusform>
            <numerusform>%n Token waren auf der Festplatte aufgehoben</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token was still in memory|%n tokens were still in memory</source>
        <translation>
            <numerusform>%n Token war noch im Speicher</numerusform>
            <numerusform>%n Token waren noch im Speicher</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token was still in the context|%n tokens were still in the context</source>
        <translation>
            <numerusform>%n Token war noch im Kontext</numerusform>
            <numerusform>%n Token waren noch im Kontext</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token, perplexity {perplexity}: on average the model chose as if among {likely} equally likely tokens.|%n tokens, perplexity {perplexity}: on average the model chose as if among {likely} equally likely tokens.</source>
        <translation>
            <numerusform>%n Token, Perplexität {perplexity}: Im Mittel wählte das Modell wie unter {likely} gleich wahrscheinlichen Token.</numerusform>
            <numerusform>%n Token, Perplexität {perplexity}: Im Mittel wählte das Modell wie unter {likely} gleich wahrscheinlichen Token.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token, {pages}|%n tokens, {pages}</source>
        <translation>
            <numerusform>%n Token, {pages}</numerusform>
            <numerusform>%n Token, {pages}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token, {special} of them marks of the template|%n tokens, {special} of them marks of the template</source>
        <translation>
            <numerusform>%n Token, davon {special} Marken der Vorlage</numerusform>
            <numerusform>%n Token, davon {special} Marken der Vorlage</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token|%n tokens</source>
        <translation>
            <numerusform>%n Token</numerusform>
            <numerusform>%n Token</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n under way, {percent} %|%n under way, {percent} %</source>
        <comment>downloads</comment>
        <translation>
            <numerusform>%n unterwegs, {percent} %</numerusform>
            <numerusform>%n unterwegs, {percent} %</numerusform>
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
        <source>%n was there already.|%n were there already.</source>
        <translation>
            <numerusform>%n war schon da.</numerusform>
            <numerusform>%n waren schon da.</numerusform>
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
    <message>
        <source>1-bit, tiny, much of the quality lost</source>
        <translation>1 Bit, winzig, viel Qualität verloren</translation>
    </message>
    <message>
        <source>12 months</source>
        <translation>12 Monate</translation>
    </message>
    <message>
        <source>15 minutes after an answer</source>
        <translation>15 Minuten nach einer Antwort</translation>
    </message>
    <message>
        <source>16 bits</source>
        <translation>16 Bit</translation>
    </message>
    <message>
        <source>16 bits, exact</source>
        <translation>16 Bit, genau</translation>
    </message>
    <message>
        <source>16-bit, full quality, large for what it gains</source>
        <translation>16 Bit, volle Qualität, groß für das, was es bringt</translation>
    </message>
    <message>
        <source>16B to 36B</source>
        <translation>16B bis 36B</translation>
    </message>
    <message>
        <source>2-bit, very small, much of the quality lost</source>
        <translation>2 Bit, sehr klein, viel Qualität verloren</translation>
    </message>
    <message>
        <source>20 to 50 %</source>
        <translation>20 bis 50 %</translation>
    </message>
    <message>
        <source>3-bit, small, some of the quality lost</source>
        <translation>3 Bit, klein, etwas Qualität verloren</translation>
    </message>
    <message>
        <source>30 days</source>
        <translation>30 Tage</translation>
    </message>
    <message>
        <source>32 bits</source>
        <translation>32 Bit</translation>
    </message>
    <message>
        <source>32-bit, full quality, very large for what it gains</source>
        <translation>32 Bit, volle Qualität, sehr groß für das, was es bringt</translation>
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
        <source>4 bits</source>
        <translation>4 Bit</translation>
    </message>
    <message>
        <source>4 bits, a quarter of it</source>
        <translation>4 Bit, ein Viertel davon</translation>
    </message>
    <message>
        <source>4-bit, good balance</source>
        <translation>4 Bit, gutes Mittelmaß</translation>
    </message>
    <message>
        <source>5 bits</source>
        <translation>5 Bit</translation>
    </message>
    <message>
        <source>5 minutes after an answer</source>
        <translation>5 Minuten nach einer Antwort</translation>
    </message>
    <message>
        <source>5 to 20 %</source>
        <translation>5 bis 20 %</translation>
    </message>
    <message>
        <source>5-bit, close to full quality</source>
        <translation>5 Bit, fast volle Qualität</translation>
    </message>
    <message>
        <source>50 to 90 %</source>
        <translation>50 bis 90 %</translation>
    </message>
    <message>
        <source>6-bit, very close to full quality</source>
        <translation>6 Bit, sehr nah an voller Qualität</translation>
    </message>
    <message>
        <source>7 days</source>
        <translation>7 Tage</translation>
    </message>
    <message>
        <source>8 bit cache (answers a little less exact)</source>
        <translation>8-Bit-Zwischenspeicher (Antworten etwas ungenauer)</translation>
    </message>
    <message>
        <source>8 bits</source>
        <translation>8 Bit</translation>
    </message>
    <message>
        <source>8 bits, half the room</source>
        <translation>8 Bit, halber Platz</translation>
    </message>
    <message>
        <source>8-bit, practically full quality</source>
        <translation>8 Bit, praktisch volle Qualität</translation>
    </message>
    <message>
        <source>90 % and more</source>
        <translation>90 % und mehr</translation>
    </message>
    <message>
        <source>9B to 16B</source>
        <translation>9B bis 16B</translation>
    </message>
    <message>
        <source>A backup holds all chats as they were then. Each was checked when it was made.</source>
        <translation>Eine Sicherung enthält alle Chats, wie sie damals waren. Jede wurde geprüft, als sie gemacht wurde.</translation>
    </message>
    <message>
        <source>A conversation as the model sees it</source>
        <translation>Ein Gespräch, wie das Modell es sieht</translation>
    </message>
    <message>
        <source>A date</source>
        <translation>Ein Datum</translation>
    </message>
    <message>
        <source>A file is still being read.</source>
        <translation>Eine Datei wird noch gelesen.</translation>
    </message>
    <message>
        <source>A good all-rounder in many languages that can think first where a question is hard.</source>
        <translation>Ein guter Allrounder in vielen Sprachen, der bei schweren Fragen erst nachdenken kann.</translation>
    </message>
    <message>
        <source>A good size for this computer: {quant}. {fit}</source>
        <translation>Eine gute Größe für diesen Computer: {quant}. {fit}</translation>
    </message>
    <message>
        <source>A graphics card ({driver})</source>
        <translation>Eine Grafikkarte ({driver})</translation>
    </message>
    <message>
        <source>A new message to:</source>
        <translation>Eine neue Nachricht an:</translation>
    </message>
    <message>
        <source>A newer version is there</source>
        <translation>Es gibt eine neuere Version</translation>
    </message>
    <message>
        <source>A person</source>
        <translation>Eine Person</translation>
    </message>
    <message>
        <source>A picture, {kind}</source>
        <translation>Ein Bild, {kind}</translation>
    </message>
    <message>
        <source>A polite reply to a message that you paste</source>
        <translation>Eine höfliche Antwort auf eine Nachricht, die du einfügst</translation>
    </message>
    <message>
        <source>A preset cannot hold this setting.</source>
        <translation>Eine Voreinstellung kann diese Einstellung nicht enthalten.</translation>
    </message>
    <message>
        <source>A quantized V cache needs flash attention. Set flash attention to Auto or On first.</source>
        <translation>Ein quantisierter V-Cache braucht Flash Attention. Stell Flash Attention zuerst auf „Auto“ oder „An“.</translation>
    </message>
    <message>
        <source>A quick question can be asked from anywhere: let a key of your desktop start “fireside ask-window”.</source>
        <translation>Eine kurze Frage geht von überall: Lass eine Taste deiner Arbeitsumgebung „fireside ask-window“ starten.</translation>
    </message>
    <message>
        <source>A response stops after this many tokens, finished or not.</source>
        <translation>Eine Antwort endet nach so vielen Tokens, ob fertig oder nicht.</translation>
    </message>
    <message>
        <source>A runtime is a build of llama.cpp, the part of Fireside that computes: others may know your graphics card. It is a program that runs on your computer, so add only what comes from people you trust. Nothing is fetched by itself.</source>
        <translation>Eine Laufzeit ist ein Build von llama.cpp, dem Teil von Fireside, der rechnet: Ein anderer kennt vielleicht deine Grafikkarte. Sie ist ein Programm, das auf deinem Computer läuft, also füge nur hinzu, was von Leuten kommt, denen du vertraust. Von selbst wird nichts geholt.</translation>
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
        <source>A table of differences and a recommendation</source>
        <translation>Eine Tabelle der Unterschiede und eine Empfehlung</translation>
    </message>
    <message>
        <source>A typical turn takes {gain} less time with: {changes}.</source>
        <translation>Eine typische Runde dauert {gain} weniger lang mit: {changes}.</translation>
    </message>
    <message>
        <source>A widely used model for conversation and writing, with room for long texts.</source>
        <translation>Ein weit verbreitetes Modell für Gespräche und zum Schreiben, mit Platz für lange Texte.</translation>
    </message>
    <message>
        <source>About Fireside</source>
        <translation>Über Fireside</translation>
    </message>
    <message>
        <source>About the answer</source>
        <translation>Zur Antwort</translation>
    </message>
    <message>
        <source>About this chat</source>
        <translation>Zu diesem Chat</translation>
    </message>
    <message>
        <source>About this model</source>
        <translation>Über dieses Modell</translation>
    </message>
    <message>
        <source>About your message</source>
        <translation>Zu deiner Nachricht</translation>
    </message>
    <message numerus="yes">
        <source>About {used} of %n token|About {used} of %n tokens</source>
        <translation>
            <numerusform>Etwa {used} von %n Token</numerusform>
            <numerusform>Etwa {used} von %n Token</numerusform>
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
        <source>Access</source>
        <translation>Zugang</translation>
    </message>
    <message>
        <source>Access token</source>
        <translation>Zugriffstoken</translation>
    </message>
    <message>
        <source>Actions</source>
        <translation>Aktionen</translation>
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
        <source>Add a file…</source>
        <translation>Datei hinzufügen…</translation>
    </message>
    <message>
        <source>Add a folder of models</source>
        <translation>Ordner mit Modellen hinzufügen</translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation>Ordner hinzufügen…</translation>
    </message>
    <message>
        <source>Add a runtime</source>
        <translation>Laufzeit hinzufügen</translation>
    </message>
    <message>
        <source>Add a runtime from a folder</source>
        <translation>Laufzeit aus einem Ordner hinzufügen</translation>
    </message>
    <message>
        <source>Add a tag</source>
        <translation>Neues Schlagwort</translation>
    </message>
    <message>
        <source>Add files…</source>
        <translation>Dateien hinzufügen…</translation>
    </message>
    <message>
        <source>Add model files</source>
        <translation>Modelldateien hinzufügen</translation>
    </message>
    <message>
        <source>Added file</source>
        <translation>Hinzugefügte Datei</translation>
    </message>
    <message>
        <source>Added models and folders</source>
        <translation>Hinzugefügte Modelle und Ordner</translation>
    </message>
    <message numerus="yes">
        <source>Added one model.|Added %n models.</source>
        <translation>
            <numerusform>Ein Modell hinzugefügt.</numerusform>
            <numerusform>%n Modelle hinzugefügt.</numerusform>
        </translation>
    </message>
    <message>
        <source>Adding up…</source>
        <translation>Wird zusammengezählt…</translation>
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
        <source>All branches and settings, as JSON that Fireside can import again.</source>
        <translation>Alle Zweige und Einstellungen, als JSON, das Fireside wieder importieren kann.</translation>
    </message>
    <message>
        <source>All chats</source>
        <translation>Alle Chats</translation>
    </message>
    <message>
        <source>All chats are backed up.</source>
        <translation>Alle Chats sind gesichert.</translation>
    </message>
    <message>
        <source>All chats are those of the backup now. What there was before is the newest in the list.</source>
        <translation>Alle Chats sind jetzt die der Sicherung. Was vorher da war, steht als Neuestes in der Liste.</translation>
    </message>
    <message>
        <source>All chats become what they were in this backup. What there is now is backed up first, so you can come back to it.</source>
        <translation>Alle Chats werden wieder so, wie sie in dieser Sicherung sind. Was jetzt da ist, wird vorher gesichert, sodass du dahin zurückkannst.</translation>
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
        <source>All models of the library are copied to {asked}, compared, and only then removed from where they are now. Models of other applications stay where they are.</source>
        <translation>Alle Modelle der Bibliothek werden nach {asked} kopiert, verglichen und erst dann am alten Ort entfernt. Modelle anderer Programme bleiben, wo sie sind.</translation>
    </message>
    <message>
        <source>All models…</source>
        <translation>Alle Modelle…</translation>
    </message>
    <message>
        <source>All presets…</source>
        <translation>Alle Voreinstellungen…</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>Immer</translation>
    </message>
    <message>
        <source>Always show statistics</source>
        <translation>Statistik immer zeigen</translation>
    </message>
    <message>
        <source>Always there</source>
        <translation>Immer da</translation>
    </message>
    <message>
        <source>An answer is done.</source>
        <translation>Eine Antwort ist fertig.</translation>
    </message>
    <message>
        <source>An archive (tar.xz, tar.gz, zip) or a folder. You can also drop an archive here.</source>
        <translation>Ein Archiv (tar.xz, tar.gz, zip) oder ein Ordner. Du kannst ein Archiv auch hierher ziehen.</translation>
    </message>
    <message>
        <source>An estimate: the model counts exactly once it is loaded.</source>
        <translation>Eine Schätzung: Genau zählt das Modell, sobald es geladen ist.</translation>
    </message>
    <message>
        <source>An hour after an answer</source>
        <translation>Eine Stunde nach einer Antwort</translation>
    </message>
    <message>
        <source>Another part</source>
        <translation>Ein weiterer Teil</translation>
    </message>
    <message>
        <source>Another program is holding the conversation database. Saving goes on when it lets go.</source>
        <translation>Ein anderes Programm hält die Datenbank der Gespräche fest. Sobald es sie freigibt, wird weiter gespeichert.</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Answer again</source>
        <translation>Noch einmal antworten</translation>
    </message>
    <message>
        <source>Answer again with…</source>
        <translation>Noch einmal antworten mit…</translation>
    </message>
    <message>
        <source>Answer an e-mail</source>
        <translation>E-Mail beantworten</translation>
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
        <source>Answering</source>
        <translation>Antwortet</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>Answers at the same time</source>
        <translation>Antworten zugleich</translation>
    </message>
    <message>
        <source>Answers in this chat follow a rule. Click to change it.</source>
        <translation>Die Antworten in diesem Chat folgen einer Regel. Klick, um sie zu ändern.</translation>
    </message>
    <message>
        <source>Answers side by side</source>
        <translation>Antworten nebeneinander</translation>
    </message>
    <message>
        <source>Answers: {form}</source>
        <translation>Antworten: {form}</translation>
    </message>
    <message>
        <source>Any JSON, and always valid.</source>
        <translation>Beliebiges JSON, und immer gültig.</translation>
    </message>
    <message>
        <source>Any access</source>
        <translation>Jeder Zugang</translation>
    </message>
    <message>
        <source>Any folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Any licence</source>
        <translation>Jede Lizenz</translation>
    </message>
    <message>
        <source>Any model</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Any of the sizes can be downloaded.</source>
        <translation>Jede der Größen kann heruntergeladen werden.</translation>
    </message>
    <message>
        <source>Any owner</source>
        <translation>Alle Besitzer</translation>
    </message>
    <message>
        <source>Any place</source>
        <translation>Alle Orte</translation>
    </message>
    <message>
        <source>Any size</source>
        <translation>Jede Größe</translation>
    </message>
    <message>
        <source>Any tag</source>
        <translation>Alle Schlagwörter</translation>
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
        <source>Applies after the model is reloaded.</source>
        <translation>Gilt nach dem Neuladen des Modells.</translation>
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
        <source>Archive this chat, or take it out</source>
        <translation>Diesen Chat archivieren oder zurückholen</translation>
    </message>
    <message>
        <source>Archived chat</source>
        <translation>Archivierter Chat</translation>
    </message>
    <message>
        <source>Archived {chats}.</source>
        <translation>{chats} archiviert.</translation>
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
        <source>Arriving</source>
        <translation>Kommt an</translation>
    </message>
    <message>
        <source>Arrow keys change it</source>
        <translation>Pfeiltasten ändern sie</translation>
    </message>
    <message>
        <source>As everywhere ({name})</source>
        <translation>Wie überall ({name})</translation>
    </message>
    <message>
        <source>As for the K cache. Quantized types need flash attention.</source>
        <translation>Wie beim K-Cache. Quantisierte Typen brauchen Flash Attention.</translation>
    </message>
    <message>
        <source>As it was</source>
        <translation>Wie es war</translation>
    </message>
    <message>
        <source>Ask before sending</source>
        <translation>Vor dem Senden fragen</translation>
    </message>
    <message>
        <source>Asked for the tool “{name}”</source>
        <translation>Wollte das Werkzeug „{name}“ verwenden</translation>
    </message>
    <message>
        <source>Asking the model…</source>
        <translation>Das Modell wird gefragt…</translation>
    </message>
    <message>
        <source>Asking…</source>
        <translation>Wird gefragt…</translation>
    </message>
    <message>
        <source>Asks for an explanation that a beginner understands</source>
        <translation>Bittet um eine Erklärung, die ein Anfänger versteht</translation>
    </message>
    <message>
        <source>Asks for consent</source>
        <translation>Braucht Zustimmung</translation>
    </message>
    <message>
        <source>Asks for the tool {name}</source>
        <translation>Ruft das Werkzeug {name}</translation>
    </message>
    <message>
        <source>Asks for the tool {name}:</source>
        <translation>Ruft das Werkzeug {name}:</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>Assistent</translation>
    </message>
    <message>
        <source>At a message</source>
        <translation>Bei einer Nachricht</translation>
    </message>
    <message>
        <source>At an unknown time</source>
        <translation>Zu unbekannter Zeit</translation>
    </message>
    <message>
        <source>At least one GPU must have a share.</source>
        <translation>Mindestens eine GPU muss einen Anteil haben.</translation>
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
        <source>Attach files</source>
        <translation>Dateien anhängen</translation>
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
        <source>Aug</source>
        <translation>Aug.</translation>
    </message>
    <message>
        <source>August</source>
        <translation>August</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>Auto</translation>
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
        <source>Back to all models</source>
        <translation>Zurück zu allen Modellen</translation>
    </message>
    <message>
        <source>Back to the message field</source>
        <translation>Zurück zum Nachrichtenfeld</translation>
    </message>
    <message>
        <source>Back to the search</source>
        <translation>Zurück zur Suche</translation>
    </message>
    <message>
        <source>Back up now</source>
        <translation>Jetzt sichern</translation>
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
        <source>Base frequency of RoPE; 0 uses the model’s own.</source>
        <translation>Basisfrequenz von RoPE; 0 nimmt die des Modells.</translation>
    </message>
    <message numerus="yes">
        <source>Batch of %n token|Batch of %n tokens</source>
        <translation>
            <numerusform>Stapel von %n Token</numerusform>
            <numerusform>Stapel von %n Token</numerusform>
        </translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation>Batchgröße</translation>
    </message>
    <message>
        <source>Before a backup was brought back</source>
        <translation>Bevor eine Sicherung zurückgeholt wurde</translation>
    </message>
    <message>
        <source>Before an update</source>
        <translation>Vor einer Aktualisierung</translation>
    </message>
    <message numerus="yes">
        <source>Before the next answer, the message above will be summarised|Before the next answer, the %n messages above will be summarised</source>
        <translation>
            <numerusform>Vor der nächsten Antwort wird die Nachricht darüber zusammengefasst</numerusform>
            <numerusform>Vor der nächsten Antwort werden die %n Nachrichten darüber zusammengefasst</numerusform>
        </translation>
    </message>
    <message>
        <source>Begin with the preset {name}</source>
        <translation>Mit der Voreinstellung {name} beginnen</translation>
    </message>
    <message>
        <source>Beside a program that keeps one core busy it writes, in tokens a second: {figures}.</source>
        <translation>Neben einem Programm, das einen Kern beschäftigt, schreibt es, in Token pro Sekunde: {figures}.</translation>
    </message>
    <message>
        <source>Best so far: {trial}, a typical turn in {time}</source>
        <translation>Bisher am besten: {trial}, eine typische Antwort in {time}</translation>
    </message>
    <message>
        <source>Beyond this, an idle model is unloaded first, then the one closest to its idle limit.</source>
        <translation>Darüber hinaus wird zuerst ein untätiges Modell entladen, dann das, dessen Leerlaufzeit am ehesten endet.</translation>
    </message>
    <message>
        <source>Biggest messages</source>
        <translation>Größte Nachrichten</translation>
    </message>
    <message>
        <source>Bits per byte</source>
        <translation>Bits pro Byte</translation>
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
        <source>Branch after</source>
        <translation>Zweig danach</translation>
    </message>
    <message>
        <source>Branch after (Alt+Right)</source>
        <translation>Nächster Zweig (Alt+Rechts)</translation>
    </message>
    <message>
        <source>Branch before</source>
        <translation>Zweig davor</translation>
    </message>
    <message>
        <source>Branch before (Alt+Left)</source>
        <translation>Voriger Zweig (Alt+Links)</translation>
    </message>
    <message>
        <source>Branch {place} of {all}</source>
        <translation>Zweig {place} von {all}</translation>
    </message>
    <message>
        <source>Branch {place} of {all}.</source>
        <translation>Zweig {place} von {all}.</translation>
    </message>
    <message>
        <source>Branches</source>
        <translation>Zweige</translation>
    </message>
    <message>
        <source>Branches of this chat</source>
        <translation>Zweige dieses Chats</translation>
    </message>
    <message>
        <source>Bring back the deleted chat</source>
        <translation>Gelöschten Chat zurückholen</translation>
    </message>
    <message>
        <source>Bring back those that came with Fireside</source>
        <translation>Die mitgelieferten zurückholen</translation>
    </message>
    <message>
        <source>Bring back {chats}</source>
        <translation>{chats} zurückholen</translation>
    </message>
    <message>
        <source>Bringing back</source>
        <translation>Zurückholen</translation>
    </message>
    <message>
        <source>Bringing back…</source>
        <translation>Wird zurückgeholt…</translation>
    </message>
    <message>
        <source>Broken pipe</source>
        <translation>die Verbindung ist abgerissen</translation>
    </message>
    <message>
        <source>Built for this computer</source>
        <translation>Für diesen Computer gebaut</translation>
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
        <source>CPU affinity</source>
        <translation>CPU-Affinität</translation>
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
        <source>CUDA or Vulkan</source>
        <translation>CUDA oder Vulkan</translation>
    </message>
    <message>
        <source>Cache reuse (KV shifting)</source>
        <translation>Cache-Wiederverwendung (KV-Verschiebung)</translation>
    </message>
    <message>
        <source>Call this chat so</source>
        <translation>Diesen Chat so nennen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Cancel {name}</source>
        <translation>{name} abbrechen</translation>
    </message>
    <message>
        <source>Cancel {name} and throw away what is here</source>
        <translation>{name} abbrechen und wegwerfen, was hier ist</translation>
    </message>
    <message>
        <source>Cancelled. Nothing was changed.</source>
        <translation>Abgebrochen. Nichts wurde geändert.</translation>
    </message>
    <message>
        <source>Cannot allocate memory</source>
        <translation>es gibt nicht genug Speicher</translation>
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
        <source>Cannot be used</source>
        <translation>Unbrauchbar</translation>
    </message>
    <message>
        <source>Cards</source>
        <translation>Karten</translation>
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
        <source>Change the answer</source>
        <translation>Antwort ändern</translation>
    </message>
    <message>
        <source>Change the message that waits</source>
        <translation>Wartende Nachricht ändern</translation>
    </message>
    <message>
        <source>Change the summary</source>
        <translation>Zusammenfassung ändern</translation>
    </message>
    <message>
        <source>Change this message</source>
        <translation>Diese Nachricht ändern</translation>
    </message>
    <message>
        <source>Change your last message</source>
        <translation>Deine letzte Nachricht ändern</translation>
    </message>
    <message>
        <source>Change your message</source>
        <translation>Deine Nachricht ändern</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>Geändert</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Chat above</source>
        <translation>Chat darüber</translation>
    </message>
    <message>
        <source>Chat and writing</source>
        <translation>Chatten und Schreiben</translation>
    </message>
    <message>
        <source>Chat below</source>
        <translation>Chat darunter</translation>
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
        <source>Chat width</source>
        <translation>Chatbreite</translation>
    </message>
    <message>
        <source>Chat with language models on your own machine.</source>
        <translation>Mit Sprachmodellen auf dem eigenen Rechner sprechen.</translation>
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
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
    <message>
        <source>Chats (*.json *.zip)</source>
        <translation>Chats (*.json *.zip)</translation>
    </message>
    <message>
        <source>Chats of this session are not kept when Fireside closes.</source>
        <translation>Chats dieser Sitzung bleiben nicht erhalten, wenn Fireside geschlossen wird.</translation>
    </message>
    <message>
        <source>Chats that Fireside has exported, and those of ChatGPT, LM Studio, Jan and Open WebUI: a file, a ZIP archive or a folder. Chats that are here already are left as they are.</source>
        <translation>Chats, die Fireside exportiert hat, und die von ChatGPT, LM Studio, Jan und Open WebUI: eine Datei, ein ZIP-Archiv oder ein Ordner. Chats, die schon hier sind, bleiben, wie sie sind.</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>Noch einmal prüfen</translation>
    </message>
    <message>
        <source>Check again what fits this computer</source>
        <translation>Noch einmal prüfen, was auf diesen Computer passt</translation>
    </message>
    <message>
        <source>Check the file</source>
        <translation>Datei prüfen</translation>
    </message>
    <message>
        <source>Checked just now: it is what was downloaded, byte for byte.</source>
        <translation>Eben geprüft: Sie ist Byte für Byte das, was heruntergeladen wurde.</translation>
    </message>
    <message>
        <source>Checking</source>
        <translation>Wird geprüft</translation>
    </message>
    <message>
        <source>Checking that it is whole</source>
        <translation>Wird auf Vollständigkeit geprüft</translation>
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
        <source>Checking {percent} %</source>
        <translation>Prüfung {percent} %</translation>
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
        <source>Choose a file under “{label}” first.</source>
        <translation>Wähle zuerst eine Datei unter „{label}“.</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>Ordner wählen</translation>
    </message>
    <message>
        <source>Choose a folder for your data</source>
        <translation>Ordner für deine Daten wählen</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>Ordner wählen…</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>Modell wählen</translation>
    </message>
    <message>
        <source>Choose a model at the top to begin.</source>
        <translation>Wähle oben ein Modell, um zu beginnen.</translation>
    </message>
    <message>
        <source>Choose a model first</source>
        <translation>Wähle zuerst ein Modell</translation>
    </message>
    <message>
        <source>Choose a model to begin</source>
        <translation>Wähle ein Modell, um zu beginnen</translation>
    </message>
    <message>
        <source>Choose a number from {least} to {most}{unit}.</source>
        <translation>Wähle eine Zahl von {least} bis {most}{unit}.</translation>
    </message>
    <message>
        <source>Choose a preset on the left, or make one.</source>
        <translation>Wähle links eine Voreinstellung oder leg eine neue an.</translation>
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
        <source>Choose none</source>
        <translation>Keine wählen</translation>
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
        <source>Choose the model</source>
        <translation>Modell wählen</translation>
    </message>
    <message>
        <source>Choose two to four models, or files of one model. Each is loaded with its own settings and measured for about half a minute.</source>
        <translation>Wähle zwei bis vier Modelle oder Dateien eines Modells. Jedes wird mit seinen eigenen Einstellungen geladen und etwa eine halbe Minute lang gemessen.</translation>
    </message>
    <message>
        <source>Choose what is done with the oldest messages, and your message can be sent.</source>
        <translation>Wähle, was mit den ältesten Nachrichten geschieht, dann kann deine Nachricht gesendet werden.</translation>
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
        <source>Chosen by hand, for different computers and tasks. All of them run on this computer alone.</source>
        <translation>Von Hand ausgesucht, für verschiedene Computer und Aufgaben. Alle laufen nur auf diesem Computer.</translation>
    </message>
    <message>
        <source>Chosen chats</source>
        <translation>Gewählte Chats</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Clear filters</source>
        <translation>Filter aufheben</translation>
    </message>
    <message>
        <source>Clear the filters</source>
        <translation>Filter aufheben</translation>
    </message>
    <message>
        <source>Clear the list</source>
        <translation>Liste leeren</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>Suche leeren</translation>
    </message>
    <message>
        <source>Clear what you have written</source>
        <translation>Leeren, was du geschrieben hast</translation>
    </message>
    <message>
        <source>Clear, honest answers to everyday questions</source>
        <translation>Klare, ehrliche Antworten auf Alltagsfragen</translation>
    </message>
    <message>
        <source>Click one, or press Return on it: another answer begins with all up to here and that token.</source>
        <translation>Klick eins an oder drück darauf Enter: Eine andere Antwort beginnt mit allem bis hierher und diesem Token.</translation>
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
        <source>Close chat settings</source>
        <translation>Chat-Einstellungen schließen</translation>
    </message>
    <message>
        <source>Close this notice</source>
        <translation>Diesen Hinweis schließen</translation>
    </message>
    <message>
        <source>Close this window</source>
        <translation>Dieses Fenster schließen</translation>
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
        <source>Comes with Fireside</source>
        <translation>Kommt mit Fireside</translation>
    </message>
    <message>
        <source>Comfortable</source>
        <translation>Bequem</translation>
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
        <source>Compare {{first}} and {{second}} in a table with the rows that matter most, then say in two sentences when I should take which.</source>
        <translation>Vergleiche {{Erstes}} und {{Zweites}} in einer Tabelle mit den Zeilen, auf die es am meisten ankommt, und sag dann in zwei Sätzen, wann ich welches nehmen sollte.</translation>
    </message>
    <message>
        <source>Compares texts in many languages, also long ones. It does not chat.</source>
        <translation>Vergleicht Texte in vielen Sprachen, auch lange. Es chattet nicht.</translation>
    </message>
    <message>
        <source>Comparing the copies: {n_done} of {n_files} files, {done} of {all}.</source>
        <translation>Kopien vergleichen: {n_done} von {n_files} Dateien, {done} von {all}.</translation>
    </message>
    <message>
        <source>Computes with</source>
        <translation>Rechnet mit</translation>
    </message>
    <message>
        <source>Computing</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>Concurrent downloads</source>
        <translation>Gleichzeitige Downloads</translation>
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
        <source>Constrains what the model can write.</source>
        <translation>Legt fest, was das Modell schreiben kann.</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>Context length</source>
        <translation>Kontextlänge</translation>
    </message>
    <message>
        <source>Context overflow</source>
        <translation>Kontextüberlauf</translation>
    </message>
    <message>
        <source>Context use: {use}</source>
        <translation>Belegter Kontext: {use}</translation>
    </message>
    <message numerus="yes">
        <source>Context: %n token|Context: %n tokens</source>
        <translation>
            <numerusform>Kontext: %n Token</numerusform>
            <numerusform>Kontext: %n Token</numerusform>
        </translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Continue the last answer</source>
        <translation>Letzte Antwort fortsetzen</translation>
    </message>
    <message>
        <source>Continue this answer</source>
        <translation>Diese Antwort fortsetzen</translation>
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
        <source>Conversation</source>
        <translation>Gespräch</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Copied as plain text.</source>
        <translation>Als reiner Text kopiert.</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
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
        <source>Copy code</source>
        <translation>Code kopieren</translation>
    </message>
    <message>
        <source>Copy code, {name}</source>
        <translation>Code kopieren, {name}</translation>
    </message>
    <message>
        <source>Copy link address</source>
        <translation>Linkadresse kopieren</translation>
    </message>
    <message>
        <source>Copy the last answer</source>
        <translation>Letzte Antwort kopieren</translation>
    </message>
    <message>
        <source>Copy the path</source>
        <translation>Pfad kopieren</translation>
    </message>
    <message>
        <source>Copy the path {path}</source>
        <translation>Pfad {path} kopieren</translation>
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
        <source>Could not be loaded</source>
        <translation>Nicht zu laden</translation>
    </message>
    <message>
        <source>Could not be saved: {problem}</source>
        <translation>Ließ sich nicht speichern: {problem}</translation>
    </message>
    <message>
        <source>Created</source>
        <translation>Erstellt</translation>
    </message>
    <message>
        <source>Ctrl+Enter to finish, Esc to leave it</source>
        <translation>Strg+Enter schließt ab, Esc verwirft</translation>
    </message>
    <message>
        <source>Custom shortcuts, one “command=keys” per line. Easier to edit under Keyboard shortcuts.</source>
        <translation>Eigene Tastenkürzel, ein „Befehl=Tasten“ pro Zeile. Bequemer unter „Tastenkürzel“ zu ändern.</translation>
    </message>
    <message>
        <source>Cut off here: the context is full</source>
        <translation>Hier abgeschnitten: Der Kontext ist voll</translation>
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
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Data folder</source>
        <translation>Datenordner</translation>
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
        <source>Decides what the answers in a chat with this preset must look like. The model cannot write anything else.</source>
        <translation>Bestimmt, wie die Antworten in einem Chat mit dieser Voreinstellung aussehen müssen. Etwas anderes kann das Modell nicht schreiben.</translation>
    </message>
    <message>
        <source>Decides what the answers in this chat must look like. The model cannot write anything else.</source>
        <translation>Bestimmt, wie die Antworten in diesem Chat aussehen müssen. Etwas anderes kann das Modell nicht schreiben.</translation>
    </message>
    <message>
        <source>Default model</source>
        <translation>Standardmodell</translation>
    </message>
    <message>
        <source>Defaults; models and chats can override them.</source>
        <translation>Standardwerte; Modelle und Chats können sie überschreiben.</translation>
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
        <source>Delete a model</source>
        <translation>Modell löschen</translation>
    </message>
    <message>
        <source>Delete folder, keep its chats</source>
        <translation>Ordner löschen, Chats behalten</translation>
    </message>
    <message>
        <source>Delete from here on</source>
        <translation>Ab hier löschen</translation>
    </message>
    <message>
        <source>Delete its files?</source>
        <translation>Dateien davon löschen?</translation>
    </message>
    <message>
        <source>Delete the files of {name}</source>
        <translation>Dateien von {name} löschen</translation>
    </message>
    <message>
        <source>Delete this chat</source>
        <translation>Diesen Chat löschen</translation>
    </message>
    <message>
        <source>Delete this question and its answer when the card is closed</source>
        <translation>Diese Frage und ihre Antwort löschen, wenn die Karte geschlossen wird</translation>
    </message>
    <message>
        <source>Delete “{name}”?</source>
        <translation>„{name}“ löschen?</translation>
    </message>
    <message>
        <source>Deleted the folder “{name}”.</source>
        <translation>Ordner „{name}“ gelöscht.</translation>
    </message>
    <message numerus="yes">
        <source>Deleted the folder “{name}”. Its chat is back in the list.|Deleted the folder “{name}”. Its %n chats are back in the list.</source>
        <translation>
            <numerusform>Ordner „{name}“ gelöscht. Sein Chat ist wieder in der Liste.</numerusform>
            <numerusform>Ordner „{name}“ gelöscht. Seine %n Chats sind wieder in der Liste.</numerusform>
        </translation>
    </message>
    <message>
        <source>Deleted {chats}.</source>
        <translation>{chats} gelöscht.</translation>
    </message>
    <message>
        <source>Deleted “{name}”.</source>
        <translation>„{name}“ gelöscht.</translation>
    </message>
    <message>
        <source>Deleted “{title}”.</source>
        <translation>„{title}“ gelöscht.</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>Löschen…</translation>
    </message>
    <message>
        <source>Density</source>
        <translation>Dichte</translation>
    </message>
    <message>
        <source>Describes pictures and answers questions about them, on an ordinary laptop.</source>
        <translation>Beschreibt Bilder und beantwortet Fragen dazu, auf einem gewöhnlichen Laptop.</translation>
    </message>
    <message>
        <source>Describes pictures closely and knows more, for a computer with a good graphics card.</source>
        <translation>Beschreibt Bilder genau und weiß mehr, für einen Computer mit guter Grafikkarte.</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>Beschreibung</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Einzelheiten</translation>
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
        <source>Did not work</source>
        <translation>Nicht geklappt</translation>
    </message>
    <message>
        <source>Directory not empty</source>
        <translation>der Ordner ist nicht leer</translation>
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
        <source>Disk use</source>
        <translation>Speicherplatz</translation>
    </message>
    <message>
        <source>Disk use by folder</source>
        <translation>Speicherplatz nach Ordner</translation>
    </message>
    <message>
        <source>Disk use by model</source>
        <translation>Speicherplatz nach Modell</translation>
    </message>
    <message>
        <source>Distribute (all nodes)</source>
        <translation>Verteilen (alle Knoten)</translation>
    </message>
    <message>
        <source>Do not keep</source>
        <translation>Nicht behalten</translation>
    </message>
    <message>
        <source>Do something, or go to a chat, a model or a setting</source>
        <translation>Tu etwas, oder geh zu einem Chat, einem Modell oder einer Einstellung</translation>
    </message>
    <message>
        <source>Documents, text and images (*.pdf *.docx *.html *.htm *.txt *.md *.csv *.json *.xml *.py *.js *.ts *.c *.cpp *.h *.rs *.go *.java *.log *.png *.jpg *.jpeg *.webp *.gif *.bmp)</source>
        <translation>Dokumente, Texte und Bilder (*.pdf *.docx *.html *.htm *.txt *.md *.csv *.json *.xml *.py *.js *.ts *.c *.cpp *.h *.rs *.go *.java *.log *.png *.jpg *.jpeg *.webp *.gif *.bmp)</translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation>Passt nicht</translation>
    </message>
    <message>
        <source>Does not fit: it takes about {total_bytes} of memory, and {free_bytes} are free.</source>
        <translation>Passt nicht: Es braucht etwa {total_bytes} Speicher, und {free_bytes} sind frei.</translation>
    </message>
    <message>
        <source>Does not fit: it takes {size} of memory even with a context of {n_ctx} tokens, and {usable} can be used.</source>
        <translation>Passt nicht: Selbst mit einem Kontext von {n_ctx} Token braucht es {size} Speicher, und {usable} sind nutzbar.</translation>
    </message>
    <message>
        <source>Does not fit: it takes {size} of memory, and {usable} can be used.</source>
        <translation>Passt nicht: Es braucht {size} Speicher, und {usable} sind nutzbar.</translation>
    </message>
    <message>
        <source>Does not fit: it takes {size} on {gpu}, and {usable} can be used.</source>
        <translation>Passt nicht: Es braucht {size} auf {gpu}, und {usable} sind nutzbar.</translation>
    </message>
    <message>
        <source>Does not work</source>
        <translation>Läuft nicht</translation>
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
        <source>Download it</source>
        <translation>Herunterladen</translation>
    </message>
    <message>
        <source>Download of {name}</source>
        <translation>Download von {name}</translation>
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
        <source>Download the newer version</source>
        <translation>Neuere Version herunterladen</translation>
    </message>
    <message>
        <source>Download the newer version of {subject}</source>
        <translation>Neuere Version herunterladen: {subject}</translation>
    </message>
    <message>
        <source>Download {subject}</source>
        <translation>Herunterladen: {subject}</translation>
    </message>
    <message>
        <source>Downloaded from</source>
        <translation>Heruntergeladen von</translation>
    </message>
    <message>
        <source>Downloaded models lie in {folder}. They can be moved to another folder or disk.</source>
        <translation>Heruntergeladene Modelle liegen in {folder}. Sie können in einen anderen Ordner oder auf ein anderes Laufwerk verschoben werden.</translation>
    </message>
    <message>
        <source>Downloading</source>
        <translation>Wird heruntergeladen</translation>
    </message>
    <message>
        <source>Downloads</source>
        <translation>Downloads</translation>
    </message>
    <message>
        <source>Downloads go on where they were.</source>
        <translation>Downloads gehen weiter, wo sie waren.</translation>
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
        <source>Draft tokens</source>
        <translation>Vorgeschlagene Tokens</translation>
    </message>
    <message>
        <source>Drag it, or press Alt and an arrow key</source>
        <translation>Zieh es, oder drück Alt und eine Pfeiltaste</translation>
    </message>
    <message>
        <source>Draws the screen</source>
        <translation>Zeichnet den Bildschirm</translation>
    </message>
    <message>
        <source>Driver</source>
        <translation>Treiber</translation>
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
        <source>Drop to add to your models</source>
        <translation>Ablegen, um sie deinen Modellen hinzuzufügen</translation>
    </message>
    <message>
        <source>Drop to attach to your message</source>
        <translation>Loslassen, um es deiner Nachricht anzuhängen</translation>
    </message>
    <message>
        <source>Drop to import chats</source>
        <translation>Ablegen, um Chats zu importieren</translation>
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
        <source>Dynamic temperature exponent</source>
        <translation>Exponent der dynamischen Temperatur</translation>
    </message>
    <message>
        <source>Dynamic temperature range</source>
        <translation>Bereich der dynamischen Temperatur</translation>
    </message>
    <message>
        <source>Each comes with the part that lets it see pictures, {size} more.</source>
        <translation>Zu jeder gehört der Teil, durch den es Bilder sieht, weitere {size}.</translation>
    </message>
    <message>
        <source>Earlier chats</source>
        <translation>Frühere Chats</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Edit last message, in an empty field</source>
        <translation>Letzte Nachricht bearbeiten, im leeren Feld</translation>
    </message>
    <message>
        <source>Edited by you</source>
        <translation>Von dir bearbeitet</translation>
    </message>
    <message>
        <source>Embedding</source>
        <translation>Einbettung</translation>
    </message>
    <message>
        <source>Embeddings</source>
        <translation>Einbettungen</translation>
    </message>
    <message>
        <source>Embeddings: it turns texts into numbers, for searching, and cannot chat</source>
        <translation>Einbettungen: Es macht aus Texten Zahlen für die Suche und kann nicht chatten</translation>
    </message>
    <message>
        <source>Empty for huggingface.co. Your access token is sent to this address, so use one you trust.</source>
        <translation>Leer für huggingface.co. Dein Zugriffstoken wird an diese Adresse gesendet; verwende nur eine, der du vertraust.</translation>
    </message>
    <message>
        <source>Ended because it went in circles</source>
        <translation>Beendet, weil sie sich im Kreis drehte</translation>
    </message>
    <message>
        <source>English</source>
        <translation>Englisch</translation>
    </message>
    <message>
        <source>Enter a JSON object, such as {&quot;enable_thinking&quot;: false}.</source>
        <translation>Gib ein JSON-Objekt ein, etwa {&quot;enable_thinking&quot;: false}.</translation>
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
        <source>Enter at most {most} texts, none of them empty.</source>
        <translation>Gib höchstens {most} Texte an, keinen davon leer.</translation>
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
        <source>Estimated</source>
        <translation>Geschätzt</translation>
    </message>
    <message>
        <source>Every downloaded model is the newest version.</source>
        <translation>Alle heruntergeladenen Modelle sind auf dem neuesten Stand.</translation>
    </message>
    <message>
        <source>Everyday chat</source>
        <translation>Alltagschat</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>Alles</translation>
    </message>
    <message>
        <source>Everything is saved again.</source>
        <translation>Alles ist wieder gespeichert.</translation>
    </message>
    <message>
        <source>Example</source>
        <translation>Beispiel</translation>
    </message>
    <message>
        <source>Example: {name}</source>
        <translation>Beispiel: {name}</translation>
    </message>
    <message>
        <source>Excel workbooks cannot be read yet. Save it as CSV and attach that.</source>
        <translation>Excel-Mappen lassen sich noch nicht lesen. Speichere sie als CSV und häng das an.</translation>
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
        <source>Experts of %n layer on the processor|Experts of %n layers on the processor</source>
        <translation>
            <numerusform>Experten von %n Schicht auf dem Prozessor</numerusform>
            <numerusform>Experten von %n Schichten auf dem Prozessor</numerusform>
        </translation>
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
        <source>Explain something</source>
        <translation>Etwas erklären</translation>
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
            <numerusform>%n Chat exportieren …</numerusform>
            <numerusform>%n Chats exportieren …</numerusform>
        </translation>
    </message>
    <message>
        <source>Export all chats…</source>
        <translation>Alle Chats exportieren…</translation>
    </message>
    <message>
        <source>Export all presets…</source>
        <translation>Alle Voreinstellungen exportieren…</translation>
    </message>
    <message>
        <source>Export chats</source>
        <translation>Chats exportieren</translation>
    </message>
    <message>
        <source>Export into a folder</source>
        <translation>In einen Ordner exportieren</translation>
    </message>
    <message>
        <source>Export presets</source>
        <translation>Voreinstellungen exportieren</translation>
    </message>
    <message>
        <source>Export this chat</source>
        <translation>Diesen Chat exportieren</translation>
    </message>
    <message>
        <source>Export this chat…</source>
        <translation>Diesen Chat exportieren…</translation>
    </message>
    <message>
        <source>Export this preset…</source>
        <translation>Diese Voreinstellung exportieren…</translation>
    </message>
    <message>
        <source>Export to a file</source>
        <translation>In eine Datei exportieren</translation>
    </message>
    <message numerus="yes">
        <source>Exported %n chat.|Exported %n chats.</source>
        <translation>
            <numerusform>%n Chat exportiert.</numerusform>
            <numerusform>%n Chats exportiert.</numerusform>
        </translation>
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
        <source>F16</source>
        <translation>F16</translation>
    </message>
    <message>
        <source>F32</source>
        <translation>F32</translation>
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
        <source>Family</source>
        <translation>Familie</translation>
    </message>
    <message>
        <source>Faster</source>
        <translation>Schneller</translation>
    </message>
    <message>
        <source>Faster responses by guessing tokens ahead. The output stays the same.</source>
        <translation>Schnellere Antworten durch vorausgeratene Tokens. Die Ausgabe bleibt gleich.</translation>
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
        <source>Fetched and read {done} of {all}.</source>
        <translation>{done} von {all} geholt und gelesen.</translation>
    </message>
    <message>
        <source>Fetches the damaged parts again</source>
        <translation>Holt die beschädigten Teile noch einmal</translation>
    </message>
    <message>
        <source>Fewer makes large images cheaper and less sharp. For models with dynamic image resolution.</source>
        <translation>Weniger macht große Bilder günstiger und unschärfer. Für Modelle mit variabler Bildauflösung.</translation>
    </message>
    <message>
        <source>Fewer words or other choices may find more. Only models in the GGUF format are listed.</source>
        <translation>Weniger Wörter oder eine andere Auswahl finden vielleicht mehr. Nur Modelle im GGUF-Format werden gezeigt.</translation>
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
        <source>File there</source>
        <translation>Datei dort</translation>
    </message>
    <message>
        <source>File too large</source>
        <translation>die Datei ist zu groß</translation>
    </message>
    <message>
        <source>Files and folders added to the library, used in place.</source>
        <translation>Dateien und Ordner, die der Bibliothek hinzugefügt wurden und an ihrem Ort bleiben.</translation>
    </message>
    <message>
        <source>Files and pictures</source>
        <translation>Dateien und Bilder</translation>
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
        <source>Filters</source>
        <translation>Filter</translation>
    </message>
    <message numerus="yes">
        <source>Filters, %n in use|Filters, %n in use</source>
        <translation>
            <numerusform>Filter, %n benutzt</numerusform>
            <numerusform>Filter, %n benutzt</numerusform>
        </translation>
    </message>
    <message>
        <source>Find a larger model</source>
        <translation>Größeres Modell finden</translation>
    </message>
    <message>
        <source>Find a model</source>
        <translation>Modell finden</translation>
    </message>
    <message>
        <source>Find a model by what it takes</source>
        <translation>Modell nach Speicherplatz suchen</translation>
    </message>
    <message>
        <source>Find a model that suits this computer, or add GGUF files that you have: drop them anywhere on this window. Files stay where they are.</source>
        <translation>Such dir ein Modell, das zu diesem Computer passt, oder füge GGUF-Dateien hinzu, die du hast: Zieh sie irgendwo auf dieses Fenster. Dateien bleiben, wo sie sind.</translation>
    </message>
    <message>
        <source>Find a model, and it is fetched here while you go on chatting. A download that is interrupted goes on where it was.</source>
        <translation>Such dir ein Modell, und es wird hier geholt, während du weiter chattest. Ein unterbrochener Download geht weiter, wo er war.</translation>
    </message>
    <message>
        <source>Find a model…</source>
        <translation>Modell finden…</translation>
    </message>
    <message>
        <source>Find a preset</source>
        <translation>Voreinstellung suchen</translation>
    </message>
    <message>
        <source>Find a shortcut</source>
        <translation>Tastenkürzel suchen</translation>
    </message>
    <message>
        <source>Find a tensor by name, type or shape</source>
        <translation>Tensor nach Name, Typ oder Form suchen</translation>
    </message>
    <message>
        <source>Find in the metadata</source>
        <translation>In den Metadaten suchen</translation>
    </message>
    <message>
        <source>Find in this chat</source>
        <translation>In diesem Chat suchen</translation>
    </message>
    <message>
        <source>Find models</source>
        <translation>Modelle finden</translation>
    </message>
    <message>
        <source>Finds bugs, risks and simpler ways</source>
        <translation>Findet Fehler, Risiken und einfachere Wege</translation>
    </message>
    <message>
        <source>Fingerprint</source>
        <translation>Fingerabdruck</translation>
    </message>
    <message>
        <source>Finish changing it</source>
        <translation>Ändern beenden</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>Fertig</translation>
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
        <source>Fireside could not read it.</source>
        <translation>Fireside konnte es nicht lesen.</translation>
    </message>
    <message>
        <source>Fireside decides, so that it fits</source>
        <translation>Fireside entscheidet, damit es passt</translation>
    </message>
    <message>
        <source>Fireside did not fetch it, so nothing says what it must be.</source>
        <translation>Fireside hat sie nicht geholt, darum sagt nichts, wie sie sein muss.</translation>
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
        <source>Fireside is set to stay offline</source>
        <translation>Fireside soll offline bleiben</translation>
    </message>
    <message>
        <source>Fireside is set to stay offline, so nothing was asked of the hub.</source>
        <translation>Fireside soll offline bleiben, deshalb wurde der Hub nicht gefragt.</translation>
    </message>
    <message>
        <source>Fireside is set to stay offline: nothing is asked of the hub, so nothing can be searched or downloaded.</source>
        <translation>Fireside soll offline bleiben: Der Hub wird nichts gefragt, also kann nichts gesucht oder heruntergeladen werden.</translation>
    </message>
    <message>
        <source>Fireside keeps its data in {path} from its next start on.</source>
        <translation>Fireside hält seine Daten ab dem nächsten Start in {path}.</translation>
    </message>
    <message numerus="yes">
        <source>Fireside: %n answer is being written|Fireside: %n answers are being written</source>
        <translation>
            <numerusform>Fireside: %n Antwort wird geschrieben</numerusform>
            <numerusform>Fireside: %n Antworten werden geschrieben</numerusform>
        </translation>
    </message>
    <message>
        <source>Fireside: {models} is loaded</source>
        <translation>Fireside: {models} geladen</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>Erstes Token</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>Passt</translation>
    </message>
    <message>
        <source>Fits in part</source>
        <translation>Passt zum Teil</translation>
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
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Folder {name}</source>
        <translation>Ordner {name}</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Folders more than {most} levels deep are not looked into.</source>
        <translation>In Ordner, die mehr als {most} Ebenen tief liegen, wird nicht hineingesehen.</translation>
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
        <source>Font size in chats and panels.</source>
        <translation>Schriftgröße in Chats und Seitenleisten.</translation>
    </message>
    <message>
        <source>For</source>
        <translation>Für</translation>
    </message>
    <message>
        <source>For a chat</source>
        <translation>Für einen Chat</translation>
    </message>
    <message>
        <source>For comparison</source>
        <translation>Zum Vergleich</translation>
    </message>
    <message>
        <source>For computers with little memory: short answers and simple texts.</source>
        <translation>Für Computer mit wenig Speicher: kurze Antworten und einfache Texte.</translation>
    </message>
    <message>
        <source>For larger programming tasks with tools; fast for its size, since only a part of it works at a time.</source>
        <translation>Für größere Programmieraufgaben mit Werkzeugen; schnell für seine Größe, weil immer nur ein Teil davon arbeitet.</translation>
    </message>
    <message>
        <source>For private or gated models. Create a token with read access in your Hugging Face account.</source>
        <translation>Für private oder zugangsbeschränkte Modelle. Erstelle in deinem Hugging-Face-Konto ein Token mit Leserechten.</translation>
    </message>
    <message>
        <source>Forgets what was changed here and not saved</source>
        <translation>Vergisst, was hier geändert und nicht gespeichert wurde</translation>
    </message>
    <message>
        <source>Format of the answers</source>
        <translation>Format der Antworten</translation>
    </message>
    <message>
        <source>Format of the answers: {form}</source>
        <translation>Format der Antworten: {form}</translation>
    </message>
    <message>
        <source>Format of the answers…</source>
        <translation>Format der Antworten…</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>Gefunden</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>Frei</translation>
    </message>
    <message>
        <source>Free memory is told by</source>
        <translation>Freien Speicher meldet</translation>
    </message>
    <message>
        <source>Free there</source>
        <translation>Dort frei</translation>
    </message>
    <message>
        <source>Free to download</source>
        <translation>Frei herunterladbar</translation>
    </message>
    <message>
        <source>Frequency penalty</source>
        <translation>Häufigkeitsstrafe</translation>
    </message>
    <message>
        <source>From context (n-gram)</source>
        <translation>Aus dem Kontext (N-Gramme)</translation>
    </message>
    <message>
        <source>From other programs</source>
        <translation>Aus anderen Programmen</translation>
    </message>
    <message>
        <source>From the file’s header; the exact figures come from llama.cpp</source>
        <translation>Aus dem Kopf der Datei; die genauen Zahlen kommen von llama.cpp</translation>
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
        <source>GPU offload (layers)</source>
        <translation>GPU-Auslagerung (Schichten)</translation>
    </message>
    <message>
        <source>GPU {n}/{n_layers} layers</source>
        <translation>GPU {n}/{n_layers} Schichten</translation>
    </message>
    <message>
        <source>General helper</source>
        <translation>Allgemeiner Helfer</translation>
    </message>
    <message>
        <source>Generate chat titles</source>
        <translation>Chat-Titel erzeugen</translation>
    </message>
    <message>
        <source>Generation stops at any of these texts, one per line. Thinking is not affected.</source>
        <translation>Die Antwort endet vor jedem dieser Texte, einer pro Zeile. Das Nachdenken ist ausgenommen.</translation>
    </message>
    <message>
        <source>Getting ready to answer…</source>
        <translation>Macht sich bereit zu antworten…</translation>
    </message>
    <message>
        <source>Getting ready…</source>
        <translation>Wird vorbereitet…</translation>
    </message>
    <message>
        <source>Give me three ideas for a rainy Sunday at home.</source>
        <translation>Gib mir drei Ideen für einen verregneten Sonntag zu Hause.</translation>
    </message>
    <message>
        <source>Go on with all</source>
        <translation>Alle fortsetzen</translation>
    </message>
    <message>
        <source>Go on with {name}</source>
        <translation>{name} fortsetzen</translation>
    </message>
    <message>
        <source>Go to the messages</source>
        <translation>Zu den Nachrichten</translation>
    </message>
    <message>
        <source>Go to this message</source>
        <translation>Zu dieser Nachricht gehen</translation>
    </message>
    <message>
        <source>Good models to begin with</source>
        <translation>Gute Modelle für den Anfang</translation>
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
        <source>Graphics card</source>
        <translation>Grafikkarte</translation>
    </message>
    <message>
        <source>Graphics card unknown</source>
        <translation>Grafikkarte unbekannt</translation>
    </message>
    <message>
        <source>Graphics cards</source>
        <translation>Grafikkarten</translation>
    </message>
    <message>
        <source>Green</source>
        <translation>Grün</translation>
    </message>
    <message>
        <source>Guessing ahead from the chat</source>
        <translation>Vorausraten aus dem Chat</translation>
    </message>
    <message>
        <source>Guessing ahead with a draft model</source>
        <translation>Vorausraten mit einem Entwurfsmodell</translation>
    </message>
    <message>
        <source>Hardware</source>
        <translation>Hardware</translation>
    </message>
    <message>
        <source>Has a problem</source>
        <translation>Mit Problem</translation>
    </message>
    <message>
        <source>Have it answered</source>
        <translation>Beantworten lassen</translation>
    </message>
    <message>
        <source>Hello. What shall we talk about?</source>
        <translation>Hallo. Worüber wollen wir reden?</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>Hide the figures</source>
        <translation>Zahlen verbergen</translation>
    </message>
    <message>
        <source>Hide the sidebar</source>
        <translation>Seitenleiste verbergen</translation>
    </message>
    <message>
        <source>Hide this note</source>
        <translation>Diese Notiz ausblenden</translation>
    </message>
    <message>
        <source>Hide this notice</source>
        <translation>Diesen Hinweis ausblenden</translation>
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
        <source>How far the comparison is</source>
        <translation>Wie weit der Vergleich ist</translation>
    </message>
    <message>
        <source>How far the measurement is</source>
        <translation>Wie weit die Messung ist</translation>
    </message>
    <message>
        <source>How far the model is</source>
        <translation>Wie weit das Modell ist</translation>
    </message>
    <message>
        <source>How far the runtime is unpacked</source>
        <translation>Wie weit die Laufzeit entpackt ist</translation>
    </message>
    <message>
        <source>How fast it is</source>
        <translation>Wie schnell es ist</translation>
    </message>
    <message>
        <source>How fast the DRY penalty grows with the length of a repetition.</source>
        <translation>Wie schnell die DRY-Strafe mit der Länge einer Wiederholung wächst.</translation>
    </message>
    <message>
        <source>How finely the model&apos;s numbers are kept</source>
        <translation>Wie fein die Zahlen des Modells gespeichert sind</translation>
    </message>
    <message>
        <source>How it fits is not known</source>
        <translation>Wie es passt, ist nicht bekannt</translation>
    </message>
    <message>
        <source>How it loads</source>
        <translation>Wie es lädt</translation>
    </message>
    <message>
        <source>How it loads…</source>
        <translation>Wie es lädt…</translation>
    </message>
    <message>
        <source>How it would be loaded</source>
        <translation>Wie es geladen würde</translation>
    </message>
    <message>
        <source>How long a model stays loaded after its last response.</source>
        <translation>Wie lange ein Modell nach der letzten Antwort geladen bleibt.</translation>
    </message>
    <message>
        <source>How long a waiting thread spins before it yields its core (Linux). More can be faster on an idle machine, and is much slower beside busy programs.</source>
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
        <source>How many numbers the model has</source>
        <translation>Wie viele Zahlen das Modell hat</translation>
    </message>
    <message>
        <source>How many of its layers run on the GPU.</source>
        <translation>Wie viele seiner Schichten auf der GPU laufen.</translation>
    </message>
    <message>
        <source>How many requests one model handles at the same time.</source>
        <translation>Wie viele Anfragen ein Modell gleichzeitig bearbeitet.</translation>
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
        <source>How many tokens of conversation the model was trained for</source>
        <translation>Auf wie viele Token Gespräch das Modell trainiert wurde</translation>
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
        <source>How sure the model was</source>
        <translation>Wie sicher das Modell war</translation>
    </message>
    <message>
        <source>How the model loads…</source>
        <translation>Wie das Modell lädt…</translation>
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
        <source>How {name} loads</source>
        <translation>Wie {name} lädt</translation>
    </message>
    <message>
        <source>Hugging Face cache</source>
        <translation>Hugging-Face-Zwischenspeicher</translation>
    </message>
    <message>
        <source>Hugging Face endpoint</source>
        <translation>Hugging-Face-Endpunkt</translation>
    </message>
    <message>
        <source>If this computer has a graphics card, its driver may be missing, or the build of llama.cpp in use may not know it. A build with Vulkan works with most cards.</source>
        <translation>Wenn dieser Computer eine Grafikkarte hat, fehlt vielleicht ihr Treiber, oder der benutzte Build von llama.cpp kennt sie nicht. Ein Build mit Vulkan läuft mit den meisten Karten.</translation>
    </message>
    <message>
        <source>Ignore end of sequence</source>
        <translation>Sequenzende ignorieren</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Image {number} cannot be shown to the model: {reason}</source>
        <translation>Bild {number} kann dem Modell nicht gezeigt werden: {reason}</translation>
    </message>
    <message>
        <source>Images, text, code, PDF, Word and web pages are read on this computer.</source>
        <translation>Bilder, Text, Code, PDF, Word und Webseiten werden auf diesem Rechner gelesen.</translation>
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
        <source>Import a folder of chats</source>
        <translation>Ordner mit Chats importieren</translation>
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
        <source>Import presets</source>
        <translation>Voreinstellungen importieren</translation>
    </message>
    <message>
        <source>Import presets…</source>
        <translation>Voreinstellungen importieren…</translation>
    </message>
    <message>
        <source>Imported chat</source>
        <translation>Importierter Chat</translation>
    </message>
    <message>
        <source>In force from tuning: {settings}.</source>
        <translation>Vom Abstimmen in Kraft: {settings}.</translation>
    </message>
    <message>
        <source>In library</source>
        <translation>In der Bibliothek</translation>
    </message>
    <message>
        <source>In the list of chats</source>
        <translation>In der Liste der Chats</translation>
    </message>
    <message>
        <source>In the list of downloads</source>
        <translation>In der Liste der Downloads</translation>
    </message>
    <message>
        <source>In use</source>
        <translation>In Gebrauch</translation>
    </message>
    <message>
        <source>In use: llama.cpp {version}, with {backends}.</source>
        <translation>In Gebrauch: llama.cpp {version}, mit {backends}.</translation>
    </message>
    <message>
        <source>In your library</source>
        <translation>In deiner Bibliothek</translation>
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
        <source>Insert it</source>
        <translation>Einfügen</translation>
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
        <source>Instructions that this build of llama.cpp uses</source>
        <translation>Befehle, die dieser Build von llama.cpp nutzt</translation>
    </message>
    <message>
        <source>Integrated graphics</source>
        <translation>Integrierte Grafik</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>Unterbrochen</translation>
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
        <source>Is a directory</source>
        <translation>das ist ein Ordner</translation>
    </message>
    <message>
        <source>Isolate (first node)</source>
        <translation>Isolieren (erster Knoten)</translation>
    </message>
    <message>
        <source>It begins once no other file is being checked.</source>
        <translation>Es beginnt, sobald keine andere Datei geprüft wird.</translation>
    </message>
    <message>
        <source>It belongs to {owner}. It can only be deleted there.</source>
        <translation>Es gehört zu {owner}. Nur dort lässt es sich löschen.</translation>
    </message>
    <message>
        <source>It can be loaded smaller: {smaller}.</source>
        <translation>Es lässt sich kleiner laden: {smaller}.</translation>
    </message>
    <message>
        <source>It cannot be kept there.</source>
        <translation>Dort lässt es sich nicht aufbewahren.</translation>
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
        <source>It cannot be shown here.</source>
        <translation>Es lässt sich hier nicht zeigen.</translation>
    </message>
    <message>
        <source>It comes with Fireside.</source>
        <translation>Es kommt mit Fireside.</translation>
    </message>
    <message>
        <source>It computes wrongly: “{beginning}” went on as “{text}”.</source>
        <translation>Sie rechnet falsch: „{beginning}“ ging weiter als „{text}“.</translation>
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
        <source>It could not be saved: {reason}.</source>
        <translation>Es ließ sich nicht speichern: {reason}.</translation>
    </message>
    <message>
        <source>It crashed: {cause}</source>
        <translation>Abgestürzt: {cause}</translation>
    </message>
    <message>
        <source>It did not come through Fireside. A check reads it whole and remembers its fingerprint.</source>
        <translation>Sie kam nicht über Fireside. Eine Prüfung liest sie ganz und merkt sich ihren Fingerabdruck.</translation>
    </message>
    <message>
        <source>It differs from what was downloaded. “Repair” fetches only those again.</source>
        <translation>Sie weicht von dem ab, was heruntergeladen wurde. „Reparieren“ holt nur die abweichenden Teile neu.</translation>
    </message>
    <message>
        <source>It failed its test: {reason}</source>
        <translation>Sie hat ihren Test nicht bestanden: {reason}</translation>
    </message>
    <message>
        <source>It finds nothing to compute with, not even the processor.</source>
        <translation>Sie findet nichts zum Rechnen, nicht einmal den Prozessor.</translation>
    </message>
    <message>
        <source>It gave no answer within {seconds} seconds.</source>
        <translation>Keine Antwort innerhalb von {seconds} Sekunden.</translation>
    </message>
    <message>
        <source>It goes on by itself as soon as it can.</source>
        <translation>Es geht von selbst weiter, sobald es kann.</translation>
    </message>
    <message>
        <source>It has not been tested yet. Test it first.</source>
        <translation>Sie ist noch nicht getestet. Teste sie zuerst.</translation>
    </message>
    <message>
        <source>It holds more than {most} files; the rest was left out.</source>
        <translation>Darin sind mehr als {most} Dateien; der Rest wurde weggelassen.</translation>
    </message>
    <message>
        <source>It holds no model files that Fireside can use.</source>
        <translation>Darin sind keine Modelldateien, die Fireside benutzen kann.</translation>
    </message>
    <message>
        <source>It holds several models: choose the one that you want.</source>
        <translation>Darin sind mehrere Modelle: Wähl das aus, das du willst.</translation>
    </message>
    <message>
        <source>It is a very small model: quick, and often wrong.</source>
        <translation>Es ist ein sehr kleines Modell: schnell und oft im Irrtum.</translation>
    </message>
    <message>
        <source>It is empty.</source>
        <translation>Es ist leer.</translation>
    </message>
    <message>
        <source>It is in use. Use another one first.</source>
        <translation>Sie ist in Gebrauch. Benutze zuerst eine andere.</translation>
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
        <source>It is not a model that chats.</source>
        <translation>Das ist kein Modell zum Chatten.</translation>
    </message>
    <message>
        <source>It is not there. If it is on another drive, connect that drive.</source>
        <translation>Nicht da. Wenn es auf einem anderen Laufwerk liegt, schließ das Laufwerk an.</translation>
    </message>
    <message>
        <source>It is one of {count} parts of a model and was renamed. Give the parts their own names back.</source>
        <translation>Sie ist einer von {count} Teilen eines Modells und wurde umbenannt. Gib den Teilen ihre eigenen Namen zurück.</translation>
    </message>
    <message>
        <source>It is part of Fireside and stays.</source>
        <translation>Sie gehört zu Fireside und bleibt.</translation>
    </message>
    <message>
        <source>It is read from the beginning of a file, which needs the consent above.</source>
        <translation>Es wird aus dem Anfang einer Datei gelesen, und dafür braucht es die Zustimmung oben.</translation>
    </message>
    <message>
        <source>It is still being copied.</source>
        <translation>Sie wird noch kopiert.</translation>
    </message>
    <message>
        <source>It is too long to be a token.</source>
        <translation>Für ein Token ist es zu lang.</translation>
    </message>
    <message>
        <source>It judges which of several texts fits a question best. It cannot chat.</source>
        <translation>Es beurteilt, welcher von mehreren Texten am besten zu einer Frage passt. Es kann nicht chatten.</translation>
    </message>
    <message>
        <source>It runs on this computer; nothing you write leaves it.</source>
        <translation>Es läuft auf diesem Rechner; nichts, was du schreibst, verlässt ihn.</translation>
    </message>
    <message>
        <source>It says how a conversation is written for it</source>
        <translation>Sie sagt, wie ein Gespräch für das Modell geschrieben wird</translation>
    </message>
    <message>
        <source>It sees pictures.</source>
        <translation>Es sieht Bilder.</translation>
    </message>
    <message>
        <source>It sees them, with {projector_path}</source>
        <translation>Sieht es, mit {projector_path}</translation>
    </message>
    <message>
        <source>It takes {size}, as predicted; loading took {seconds} s.</source>
        <translation>Es belegt {size}, wie vorhergesagt; das Laden hat {seconds} s gedauert.</translation>
    </message>
    <message>
        <source>It takes {size}, {difference} less than predicted; loading took {seconds} s.</source>
        <translation>Es belegt {size}, {difference} weniger als vorhergesagt; das Laden hat {seconds} s gedauert.</translation>
    </message>
    <message>
        <source>It takes {size}, {difference} more than predicted; loading took {seconds} s.</source>
        <translation>Es belegt {size}, {difference} mehr als vorhergesagt; das Laden hat {seconds} s gedauert.</translation>
    </message>
    <message>
        <source>It takes {size}; loading took {seconds} s.</source>
        <translation>Es belegt {size}; das Laden hat {seconds} s gedauert.</translation>
    </message>
    <message>
        <source>It takes {tokens}, and the model’s context holds {size}. Give the model a larger context, or attach a part of the file.</source>
        <translation>Die Datei braucht {tokens}, und der Kontext des Modells fasst {size}. Gib dem Modell einen größeren Kontext oder hänge nur einen Teil der Datei an.</translation>
    </message>
    <message>
        <source>It took too long.</source>
        <translation>Es hat zu lange gedauert.</translation>
    </message>
    <message>
        <source>It turns texts into numbers, for finding what is alike. It cannot chat.</source>
        <translation>Es macht aus Texten Zahlen, um Ähnliches zu finden. Es kann nicht chatten.</translation>
    </message>
    <message>
        <source>It was compared with the hub’s fingerprint when it was downloaded on {day}, and not changed since.</source>
        <translation>Sie wurde beim Herunterladen am {day} mit dem Fingerabdruck des Hubs verglichen und seitdem nicht geändert.</translation>
    </message>
    <message>
        <source>It was compared with the hub’s fingerprint when it was downloaded, and not changed since.</source>
        <translation>Sie wurde beim Herunterladen mit dem Fingerabdruck des Hubs verglichen und seitdem nicht geändert.</translation>
    </message>
    <message>
        <source>It was damaged and is whole again: {fetched} were fetched anew.</source>
        <translation>Sie war beschädigt und ist wieder heil: {fetched} wurden neu geholt.</translation>
    </message>
    <message>
        <source>It was measured on another computer.</source>
        <translation>Gemessen wurde auf einem anderen Computer.</translation>
    </message>
    <message>
        <source>It was measured with another build of llama.cpp.</source>
        <translation>Gemessen wurde mit einem anderen Build von llama.cpp.</translation>
    </message>
    <message>
        <source>It was measured with another graphics driver.</source>
        <translation>Gemessen wurde mit einem anderen Grafiktreiber.</translation>
    </message>
    <message>
        <source>It was read whole without an error. There is nothing to compare it with.</source>
        <translation>Sie wurde ganz und ohne Fehler gelesen. Es gibt nichts, womit sie sich vergleichen ließe.</translation>
    </message>
    <message>
        <source>Its encoding is not known; it was read as Western European text.</source>
        <translation>Die Kodierung ist unbekannt; gelesen wurde sie als westeuropäischer Text.</translation>
    </message>
    <message>
        <source>Its files do not say what they are, so nothing can be said about them.</source>
        <translation>Die Dateien sagen nicht, was sie sind, also lässt sich nichts über sie sagen.</translation>
    </message>
    <message>
        <source>Its header cannot be read, so it cannot be loaded.</source>
        <translation>Ihr Kopf ist nicht lesbar, deshalb kann sie nicht geladen werden.</translation>
    </message>
    <message>
        <source>Its name is not valid text. Rename it to use it.</source>
        <translation>Der Name ist kein gültiger Text. Benenne die Datei um, um sie zu benutzen.</translation>
    </message>
    <message>
        <source>Its own</source>
        <translation>Eigene</translation>
    </message>
    <message>
        <source>Its own name: {own}</source>
        <translation>Eigener Name: {own}</translation>
    </message>
    <message>
        <source>Its process does nothing just now. Wait, or cancel it.</source>
        <translation>Sein Prozess tut gerade nichts. Warte, oder brich es ab.</translation>
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
        <source>JSON with exactly the fields that a JSON Schema describes.</source>
        <translation>JSON mit genau den Feldern, die ein JSON-Schema beschreibt.</translation>
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
        <source>Jump to the latest message</source>
        <translation>Zur neuesten Nachricht springen</translation>
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
        <source>K cache quantization</source>
        <translation>K-Cache-Quantisierung</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Keep as it is</source>
        <translation>Lassen, wie es ist</translation>
    </message>
    <message>
        <source>Keep the answer of {name}</source>
        <translation>Antwort von {name} behalten</translation>
    </message>
    <message>
        <source>Keep these settings</source>
        <translation>Einstellungen behalten</translation>
    </message>
    <message>
        <source>Keep this</source>
        <translation>Diese behalten</translation>
    </message>
    <message>
        <source>Keeps Fireside running in the system tray. Bind “fireside ask-window” to a key for quick questions from anywhere.</source>
        <translation>Fireside läuft im Infobereich weiter. Lege „fireside ask-window“ auf eine Taste, um von überall kurze Fragen zu stellen.</translation>
    </message>
    <message>
        <source>Keeps the experts of this many layers of a MoE model in RAM. Auto keeps as few as necessary.</source>
        <translation>Behält die Experten von so vielen Schichten eines MoE-Modells im RAM. „Auto“ nimmt so wenige wie nötig.</translation>
    </message>
    <message>
        <source>Keeps these settings for this model without loading it now</source>
        <translation>Merkt sich diese Einstellungen für das Modell, ohne es jetzt zu laden</translation>
    </message>
    <message>
        <source>Keeps verified copies of all chats: 7 daily and 4 weekly.</source>
        <translation>Bewahrt geprüfte Kopien aller Chats auf: 7 tägliche und 4 wöchentliche.</translation>
    </message>
    <message>
        <source>Kept free for the answer</source>
        <translation>Für die Antwort freigehalten</translation>
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
        <source>Kind</source>
        <translation>Art</translation>
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
    <message numerus="yes">
        <source>Last one: {when}; one backup is kept.|Last one: {when}; %n backups are kept.</source>
        <translation>
            <numerusform>Letzte: {when}; eine Sicherung ist da.</numerusform>
            <numerusform>Letzte: {when}; %n Sicherungen sind da.</numerusform>
        </translation>
    </message>
    <message>
        <source>Last used</source>
        <translation>Zuletzt benutzt</translation>
    </message>
    <message>
        <source>Learning rate (eta) of Mirostat.</source>
        <translation>Lernrate (Eta) von Mirostat.</translation>
    </message>
    <message>
        <source>Let answers be free text</source>
        <translation>Antworten wieder frei schreiben lassen</translation>
    </message>
    <message>
        <source>Letting the starter model answer with “{name}”. This may take a minute…</source>
        <translation>Das Startmodell antwortet mit „{name}“. Das kann eine Minute dauern…</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>Bibliothek</translation>
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
        <source>Likes</source>
        <translation>Likes</translation>
    </message>
    <message>
        <source>Limit for all downloads together, in KB/s.</source>
        <translation>Grenze für alle Downloads zusammen, in KB/s.</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>Linear</translation>
    </message>
    <message>
        <source>Lists models from LM Studio, Ollama, Jan and others in place, without changing them.</source>
        <translation>Zeigt Modelle aus LM Studio, Ollama, Jan und anderen an ihrem Ort, ohne sie zu verändern.</translation>
    </message>
    <message>
        <source>Lives in</source>
        <translation>Liegt in</translation>
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
        <source>Load anyway</source>
        <translation>Trotzdem laden</translation>
    </message>
    <message>
        <source>Load settings…</source>
        <translation>Ladeeinstellungen…</translation>
    </message>
    <message>
        <source>Load smaller and answer again</source>
        <translation>Kleiner laden und noch einmal antworten</translation>
    </message>
    <message>
        <source>Load the last used model at start</source>
        <translation>Zuletzt benutztes Modell beim Start laden</translation>
    </message>
    <message>
        <source>Load the model</source>
        <translation>Modell laden</translation>
    </message>
    <message>
        <source>Load timeout</source>
        <translation>Zeitlimit beim Laden</translation>
    </message>
    <message>
        <source>Load with these</source>
        <translation>Damit laden</translation>
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
        <source>Loaded models take memory and cores, so what is measured beside them is rough. Loaded now: {models}.</source>
        <translation>Geladene Modelle brauchen Speicher und Kerne, daher ist ungenau, was neben ihnen gemessen wird. Jetzt geladen: {models}.</translation>
    </message>
    <message>
        <source>Loaded otherwise than its settings say, this time.</source>
        <translation>Diesmal anders geladen, als die Einstellungen sagen.</translation>
    </message>
    <message>
        <source>Loading it smaller: {smaller}…</source>
        <translation>Wird kleiner geladen: {smaller}…</translation>
    </message>
    <message>
        <source>Loading the model… its process does nothing just now</source>
        <translation>Das Modell wird geladen … sein Prozess tut gerade nichts</translation>
    </message>
    <message>
        <source>Loading the model… {percent}%</source>
        <translation>Das Modell wird geladen… {percent} %</translation>
    </message>
    <message>
        <source>Loading {model} came to a standstill for {waited_s} seconds and was stopped. Is its disk still there? If it is only slow, allow a longer standstill in the settings.</source>
        <translation>Das Laden von {model} stand {waited_s} Sekunden still und wurde abgebrochen. Ist das Laufwerk noch da? Wenn es nur langsam ist, erlaube in den Einstellungen einen längeren Stillstand.</translation>
    </message>
    <message>
        <source>Loading {percent} %</source>
        <translation>Lädt {percent} %</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>Wird geladen…</translation>
    </message>
    <message>
        <source>Loads faster and lets the system share memory. Turn off for files on a network drive.</source>
        <translation>Lädt schneller und lässt das System Speicher teilen. Für Dateien auf einem Netzlaufwerk ausschalten.</translation>
    </message>
    <message>
        <source>Lock model in memory (mlock)</source>
        <translation>Modell im Speicher sperren (mlock)</translation>
    </message>
    <message>
        <source>Logit bias</source>
        <translation>Logit-Bias</translation>
    </message>
    <message>
        <source>Long chats</source>
        <translation>Lange Chats</translation>
    </message>
    <message>
        <source>Long text, {size}</source>
        <translation>Langer Text, {size}</translation>
    </message>
    <message numerus="yes">
        <source>Long text, {size} in %n line|Long text, {size} in %n lines</source>
        <translation>
            <numerusform>Langer Text, {size} in %n Zeile</numerusform>
            <numerusform>Langer Text, {size} in %n Zeilen</numerusform>
        </translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>Noch einmal ansehen</translation>
    </message>
    <message>
        <source>Look for new files</source>
        <translation>Nach neuen Dateien sehen</translation>
    </message>
    <message>
        <source>Look for newer versions</source>
        <translation>Nach neueren Versionen suchen</translation>
    </message>
    <message>
        <source>Looking at it…</source>
        <translation>Wird angesehen…</translation>
    </message>
    <message>
        <source>Looking at this computer…</source>
        <translation>Dieser Computer wird angesehen…</translation>
    </message>
    <message>
        <source>Looking at {name}…</source>
        <translation>{name} wird angesehen…</translation>
    </message>
    <message>
        <source>Looking for more…</source>
        <translation>Nach weiteren wird gesucht…</translation>
    </message>
    <message>
        <source>Looks the same, in {place}, takes no further space</source>
        <translation>Sieht gleich aus, in {place}, ohne weiteren Platz</translation>
    </message>
    <message>
        <source>Looks the same, in {place}, {size} more</source>
        <translation>Sieht gleich aus, in {place}, weitere {size}</translation>
    </message>
    <message>
        <source>Low</source>
        <translation>Wenig</translation>
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
        <source>MMMM yyyy</source>
        <comment>the pattern of a date, as Qt has it</comment>
        <translation>MMMM yyyy</translation>
    </message>
    <message>
        <source>Made by itself</source>
        <translation>Von selbst gemacht</translation>
    </message>
    <message>
        <source>Made by you</source>
        <translation>Von dir gemacht</translation>
    </message>
    <message>
        <source>Made for</source>
        <translation>Gemacht für</translation>
    </message>
    <message>
        <source>Made from</source>
        <translation>Gemacht aus</translation>
    </message>
    <message>
        <source>Main GPU</source>
        <translation>Haupt-GPU</translation>
    </message>
    <message>
        <source>Makes single tokens of this model more or less likely, one “token=bias” per line.</source>
        <translation>Macht einzelne Tokens dieses Modells wahrscheinlicher oder seltener, ein „Token=Bias“ pro Zeile.</translation>
    </message>
    <message>
        <source>Making room for the context…</source>
        <translation>Platz für den Kontext wird geschaffen…</translation>
    </message>
    <message>
        <source>Making room for the model…</source>
        <translation>Für das Modell wird Platz gemacht…</translation>
    </message>
    <message>
        <source>Many at once, so that answers go on beginning quickly.</source>
        <translation>Viele auf einmal, damit Antworten weiter schnell beginnen.</translation>
    </message>
    <message>
        <source>Many different ideas, quickly</source>
        <translation>Viele verschiedene Ideen, schnell</translation>
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
        <source>Mark as favourite</source>
        <translation>Als Favorit merken</translation>
    </message>
    <message>
        <source>Match system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Match upper and lower case</source>
        <translation>Groß- und Kleinschreibung beachten</translation>
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
        <source>Max response tokens</source>
        <translation>Max. Antwort-Tokens</translation>
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
        <source>Measure beside them</source>
        <translation>Daneben messen</translation>
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
        <source>Medium</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Memory limit</source>
        <translation>Speichergrenze</translation>
    </message>
    <message>
        <source>Memory may run short. It could be loaded smaller: {words}</source>
        <translation>Der Speicher könnte knapp werden. Es könnte kleiner geladen werden: {words}</translation>
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
        <source>Message</source>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>Message above</source>
        <translation>Nachricht darüber</translation>
    </message>
    <message>
        <source>Message below</source>
        <translation>Nachricht darunter</translation>
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
        <source>Messages that wait to be sent</source>
        <translation>Nachrichten, die auf das Senden warten</translation>
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
        <source>Micro-batch size</source>
        <translation>Micro-Batch-Größe</translation>
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
        <source>Model default</source>
        <translation>Standard des Modells</translation>
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
        <source>Model of answer {number}</source>
        <translation>Modell der Antwort {number}</translation>
    </message>
    <message>
        <source>Model settings</source>
        <translation>Modelleinstellungen</translation>
    </message>
    <message>
        <source>Model: none chosen</source>
        <translation>Modell: keins gewählt</translation>
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
        <source>Models found</source>
        <translation>Gefundene Modelle</translation>
    </message>
    <message>
        <source>Models from other apps</source>
        <translation>Modelle anderer Programme</translation>
    </message>
    <message>
        <source>Models run with “{name}” from their next answer on.</source>
        <translation>Modelle laufen ab ihrer nächsten Antwort mit „{name}“.</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>More for this model</source>
        <translation>Mehr zu diesem Modell</translation>
    </message>
    <message>
        <source>More helps to read small print. For models with dynamic image resolution.</source>
        <translation>Mehr hilft beim Lesen kleiner Schrift. Für Modelle mit variabler Bildauflösung.</translation>
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
        <source>Move down</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>Move it there</source>
        <translation>Dorthin verschieben</translation>
    </message>
    <message>
        <source>Move the library</source>
        <translation>Bibliothek verschieben</translation>
    </message>
    <message>
        <source>Move the library to</source>
        <translation>Bibliothek verschieben nach</translation>
    </message>
    <message>
        <source>Move the library…</source>
        <translation>Bibliothek verschieben…</translation>
    </message>
    <message>
        <source>Move to</source>
        <translation>Verschieben nach</translation>
    </message>
    <message>
        <source>Move to a folder</source>
        <translation>In einen Ordner verschieben</translation>
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
        <source>Move to the trash</source>
        <translation>In den Papierkorb</translation>
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
        <source>Moved {chats} back to the list.</source>
        <translation>{chats} in die Liste zurückgelegt.</translation>
    </message>
    <message>
        <source>Moved {chats} to “{folder}”.</source>
        <translation>{chats} nach „{folder}“ verschoben.</translation>
    </message>
    <message>
        <source>Multi-GPU split mode</source>
        <translation>Aufteilung auf mehrere GPUs</translation>
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
        <source>NVIDIA’s driver</source>
        <translation>NVIDIAs Treiber</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Name of the model</source>
        <translation>Name des Modells</translation>
    </message>
    <message>
        <source>Names a chat after its first response, if the model is capable enough.</source>
        <translation>Benennt einen Chat nach der ersten Antwort, wenn das Modell gut genug dafür ist.</translation>
    </message>
    <message>
        <source>Names of GPUs the model must not use, one per line.</source>
        <translation>Namen von GPUs, die das Modell nicht nutzen soll, einer pro Zeile.</translation>
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
        <source>Never</source>
        <translation>Nie</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>New chat from here</source>
        <translation>Neuer Chat ab hier</translation>
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
        <source>New name of the chat</source>
        <translation>Neuer Name des Chats</translation>
    </message>
    <message>
        <source>New name of the folder</source>
        <translation>Neuer Name des Ordners</translation>
    </message>
    <message>
        <source>New name of the model</source>
        <translation>Neuer Name des Modells</translation>
    </message>
    <message>
        <source>New preset</source>
        <translation>Neue Voreinstellung</translation>
    </message>
    <message>
        <source>New window</source>
        <translation>Neues Fenster</translation>
    </message>
    <message>
        <source>Newer version</source>
        <translation>Neuere Version</translation>
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
        <source>Next in line…</source>
        <translation>Als Nächstes dran…</translation>
    </message>
    <message>
        <source>Next one (Enter)</source>
        <translation>Nächster Treffer (Enter)</translation>
    </message>
    <message>
        <source>No answer here has a seed yet.</source>
        <translation>Noch keine Antwort hier hat einen Startwert.</translation>
    </message>
    <message>
        <source>No changes are listed.</source>
        <translation>Es sind keine Änderungen aufgeführt.</translation>
    </message>
    <message>
        <source>No chat has these words.</source>
        <translation>Kein Chat hat diese Wörter.</translation>
    </message>
    <message>
        <source>No colour</source>
        <translation>Keine Farbe</translation>
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
        <source>No graphics card for models</source>
        <translation>Keine Grafikkarte für Modelle</translation>
    </message>
    <message>
        <source>No graphics card was found that models can use, so they run on the processor. Small models are quick there, and larger ones work as far as memory goes.</source>
        <translation>Es wurde keine Grafikkarte gefunden, die Modelle nutzen können, deshalb laufen sie auf dem Prozessor. Kleine Modelle sind dort schnell, und größere laufen, so weit der Speicher reicht.</translation>
    </message>
    <message>
        <source>No guessing ahead</source>
        <translation>Kein Vorausraten</translation>
    </message>
    <message>
        <source>No limit</source>
        <translation>Unbegrenzt</translation>
    </message>
    <message>
        <source>No longer a favourite</source>
        <translation>Kein Favorit mehr</translation>
    </message>
    <message>
        <source>No matching settings</source>
        <translation>Keine passenden Einstellungen</translation>
    </message>
    <message>
        <source>No model fits</source>
        <translation>Kein Modell passt</translation>
    </message>
    <message>
        <source>No model has these words in its name.</source>
        <translation>Kein Modell hat diese Wörter im Namen.</translation>
    </message>
    <message>
        <source>No models yet</source>
        <translation>Noch keine Modelle</translation>
    </message>
    <message>
        <source>No other one was used before, so nothing is undone.</source>
        <translation>Vorher war keine andere in Gebrauch, also wird nichts zurückgenommen.</translation>
    </message>
    <message>
        <source>No presets added.</source>
        <translation>Keine Voreinstellung hinzugefügt.</translation>
    </message>
    <message>
        <source>No settings of a tuning are kept.</source>
        <translation>Von einer Abstimmung sind keine Einstellungen aufbewahrt.</translation>
    </message>
    <message>
        <source>No space left on device</source>
        <translation>auf dem Datenträger ist kein Platz mehr</translation>
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
        <source>No token saved</source>
        <translation>Kein Token gespeichert</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>None in the file; a common form is used</source>
        <translation>Keine in der Datei; eine übliche Form wird benutzt</translation>
    </message>
    <message>
        <source>None of its sizes fits this computer. {fit}</source>
        <translation>Keine der Größen passt auf diesen Computer. {fit}</translation>
    </message>
    <message>
        <source>Normal</source>
        <translation>Normal</translation>
    </message>
    <message>
        <source>Not a directory</source>
        <translation>das ist kein Ordner</translation>
    </message>
    <message>
        <source>Not added. {reasons}</source>
        <translation>Nicht hinzugefügt. {reasons}</translation>
    </message>
    <message>
        <source>Not checked</source>
        <translation>Nicht geprüft</translation>
    </message>
    <message>
        <source>Not faster</source>
        <translation>Nicht schneller</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>Nicht gefunden</translation>
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
        <source>Not said</source>
        <translation>Nicht angegeben</translation>
    </message>
    <message>
        <source>Not tested</source>
        <translation>Nicht getestet</translation>
    </message>
    <message>
        <source>Noted while the answer was written.</source>
        <translation>Notiert, während die Antwort geschrieben wurde.</translation>
    </message>
    <message>
        <source>Nothing faster was found, so there is nothing to keep.</source>
        <translation>Nichts Schnelleres wurde gefunden, also gibt es nichts zu behalten.</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Nichts gefunden</translation>
    </message>
    <message>
        <source>Nothing found for “{subject}”</source>
        <translation>Nichts gefunden für „{subject}“</translation>
    </message>
    <message>
        <source>Nothing has arrived for a while</source>
        <translation>Seit einer Weile kommt nichts an</translation>
    </message>
    <message>
        <source>Nothing has these letters.</source>
        <translation>Nichts hat diese Buchstaben.</translation>
    </message>
    <message>
        <source>Nothing has these words with these filters.</source>
        <translation>Mit diesen Filtern gibt es nichts mit diesen Wörtern.</translation>
    </message>
    <message>
        <source>Nothing here passes all filters.</source>
        <translation>Nichts hier kommt durch alle Filter.</translation>
    </message>
    <message>
        <source>Nothing is asked of the hub. The models you have work as always.</source>
        <translation>Der Hub wird nichts gefragt. Deine Modelle laufen wie immer.</translation>
    </message>
    <message>
        <source>Nothing is being downloaded</source>
        <translation>Nichts wird heruntergeladen</translation>
    </message>
    <message>
        <source>Nothing is deleted: you can read, search and export all of it.</source>
        <translation>Nichts ist gelöscht: Du kannst alles lesen, durchsuchen und exportieren.</translation>
    </message>
    <message>
        <source>Nothing is sent that does not fit.</source>
        <translation>Was nicht passt, wird nicht gesendet.</translation>
    </message>
    <message>
        <source>Nothing new was imported.</source>
        <translation>Nichts Neues wurde importiert.</translation>
    </message>
    <message>
        <source>Nothing so far. Older chats are still being read.</source>
        <translation>Noch nichts. Ältere Chats werden noch gelesen.</translation>
    </message>
    <message>
        <source>Nothing was faster than the settings as they are by more than the noise.</source>
        <translation>Nichts war deutlich schneller als die jetzigen Einstellungen.</translation>
    </message>
    <message>
        <source>Nothing was imported from {path}: {reason}</source>
        <translation>Aus {path} wurde nichts importiert: {reason}</translation>
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
        <source>Numbers</source>
        <translation>Zahlen</translation>
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
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>Offer it where a new chat begins</source>
        <translation>Am Anfang eines neuen Chats anbieten</translation>
    </message>
    <message>
        <source>Offline mode</source>
        <translation>Offline-Modus</translation>
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
        <source>Ollama adds an adapter (LoRA) to this model. Fireside would run it without.</source>
        <translation>Ollama fügt diesem Modell einen Adapter (LoRA) hinzu. Fireside würde es ohne ihn benutzen.</translation>
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
        <source>On the processor</source>
        <translation>Auf dem Prozessor</translation>
    </message>
    <message>
        <source>One a line</source>
        <translation>Eine Angabe pro Zeile</translation>
    </message>
    <message numerus="yes">
        <source>One damaged message could not be read; a note stands in place.|%n damaged messages could not be read; a note stands in place.</source>
        <translation>
            <numerusform>Eine beschädigte Nachricht war nicht lesbar; an ihrer Stelle steht ein Hinweis.</numerusform>
            <numerusform>%n beschädigte Nachrichten waren nicht lesbar; an ihrer Stelle steht ein Hinweis.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>One model has a newer version.|%n models have a newer version.</source>
        <translation>
            <numerusform>Für ein Modell gibt es eine neuere Version.</numerusform>
            <numerusform>Für %n Modelle gibt es eine neuere Version.</numerusform>
        </translation>
    </message>
    <message>
        <source>One more</source>
        <translation>Noch eine</translation>
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
        <source>One short sentence</source>
        <translation>Ein kurzer Satz</translation>
    </message>
    <message>
        <source>One “pattern=device” per line, such as ffn_(up|down)=CPU. The first match wins.</source>
        <translation>Ein „Muster=Gerät“ pro Zeile, etwa ffn_(up|down)=CPU. Der erste Treffer gilt.</translation>
    </message>
    <message>
        <source>Only for {name}.</source>
        <translation>Nur für {name}.</translation>
    </message>
    <message>
        <source>Only its first {n} characters are attached.</source>
        <translation>Nur die ersten {n} Zeichen sind angehängt.</translation>
    </message>
    <message>
        <source>Only the archive</source>
        <translation>Nur das Archiv</translation>
    </message>
    <message>
        <source>Only the first {n_read} of its {n_pages} pages were read.</source>
        <translation>Nur die ersten {n_read} von {n_pages} Seiten wurden gelesen.</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Open in Fireside</source>
        <translation>In Fireside öffnen</translation>
    </message>
    <message>
        <source>Open in a new window</source>
        <translation>In neuem Fenster öffnen</translation>
    </message>
    <message>
        <source>Open on the hub</source>
        <translation>Im Hub öffnen</translation>
    </message>
    <message>
        <source>Open settings</source>
        <translation>Einstellungen öffnen</translation>
    </message>
    <message>
        <source>Open the licence page</source>
        <translation>Lizenzseite öffnen</translation>
    </message>
    <message>
        <source>Open the page on which the licence is accepted: {name}</source>
        <translation>Seite öffnen, auf der die Lizenz angenommen wird: {name}</translation>
    </message>
    <message>
        <source>Open the settings</source>
        <translation>Einstellungen öffnen</translation>
    </message>
    <message>
        <source>Open this page?</source>
        <translation>Diese Seite öffnen?</translation>
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
        <source>OpenDocument files cannot be read yet. Save it as DOCX or PDF and attach that.</source>
        <translation>OpenDocument-Dateien lassen sich noch nicht lesen. Speichere sie als DOCX oder PDF und häng das an.</translation>
    </message>
    <message>
        <source>Operation not permitted</source>
        <translation>das System erlaubt es nicht</translation>
    </message>
    <message>
        <source>Orange</source>
        <translation>Orange</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>Reihenfolge</translation>
    </message>
    <message>
        <source>Order and folders</source>
        <translation>Reihenfolge und Ordner</translation>
    </message>
    <message>
        <source>Order, size, licence, access, owner</source>
        <translation>Reihenfolge, Größe, Lizenz, Zugang, Besitzer</translation>
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
        <source>Other programs have taken {size} of the computer’s memory since the model was loaded. It may become slow; loaded smaller, it leaves them room.</source>
        <translation>Andere Programme haben {size} vom Arbeitsspeicher genommen, seit das Modell geladen wurde. Es kann langsam werden; kleiner geladen lässt es ihnen Platz.</translation>
    </message>
    <message>
        <source>Other programs have taken {size} of {device} since the model was loaded. It may become slow; loaded smaller, it leaves them room.</source>
        <translation>Andere Programme haben {size} von {device} genommen, seit das Modell geladen wurde. Es kann langsam werden; kleiner geladen lässt es ihnen Platz.</translation>
    </message>
    <message>
        <source>Other programs used {load} of the processor, so these figures are rough.</source>
        <translation>Andere Programme nahmen {load} des Prozessors, darum sind diese Zahlen grob.</translation>
    </message>
    <message>
        <source>Other settings…</source>
        <translation>Andere Einstellungen…</translation>
    </message>
    <message>
        <source>Out of the folder</source>
        <translation>Aus dem Ordner</translation>
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
        <source>Owner of the model</source>
        <translation>Besitzer des Modells</translation>
    </message>
    <message>
        <source>Page {page} could not be read.</source>
        <translation>Seite {page} war nicht lesbar.</translation>
    </message>
    <message>
        <source>Panel width</source>
        <translation>Breite der Leiste</translation>
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
        <source>Part of the context kept free for the response, at most a quarter of it.</source>
        <translation>Teil des Kontexts, der für die Antwort frei bleibt, höchstens ein Viertel.</translation>
    </message>
    <message>
        <source>Part {missing} of {count} is missing.</source>
        <translation>Teil {missing} von {count} fehlt.</translation>
    </message>
    <message>
        <source>Part {number} does not belong to the other parts.</source>
        <translation>Teil {number} gehört nicht zu den anderen Teilen.</translation>
    </message>
    <message>
        <source>Part {number} is another part by its content. The parts were mixed up.</source>
        <translation>Teil {number} ist dem Inhalt nach ein anderer Teil. Die Teile wurden vertauscht.</translation>
    </message>
    <message>
        <source>Partly on the graphics card</source>
        <translation>Teils auf der Grafikkarte</translation>
    </message>
    <message>
        <source>Parts {most} and {last} of {count} are missing.</source>
        <translation>Die Teile {most} und {last} von {count} fehlen.</translation>
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
        <source>Patient tutor</source>
        <translation>Geduldiger Lehrer</translation>
    </message>
    <message>
        <source>Pause all</source>
        <translation>Alle anhalten</translation>
    </message>
    <message>
        <source>Pause {name}</source>
        <translation>{name} anhalten</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Paused at {percent}</source>
        <translation>Angehalten bei {percent}</translation>
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
        <source>Perplexity</source>
        <translation>Perplexität</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Anheften</translation>
    </message>
    <message>
        <source>Pin or unpin this chat</source>
        <translation>Diesen Chat anheften oder lösen</translation>
    </message>
    <message>
        <source>Pin this message</source>
        <translation>Diese Nachricht anheften</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>Angeheftet</translation>
    </message>
    <message>
        <source>Pinned. {name}</source>
        <translation>Angeheftet. {name}</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Ort</translation>
    </message>
    <message>
        <source>Plan ahead</source>
        <translation>Etwas planen</translation>
    </message>
    <message>
        <source>Planned memory</source>
        <translation>Geplanter Speicher</translation>
    </message>
    <message>
        <source>Popular now</source>
        <translation>Gerade beliebt</translation>
    </message>
    <message>
        <source>Position scale, such as 0.25 for four times the context; 0 is automatic.</source>
        <translation>Skalierung der Positionen, etwa 0,25 für den vierfachen Kontext; 0 wählt sie automatisch.</translation>
    </message>
    <message>
        <source>PowerPoint files cannot be read yet. Save it as PDF and attach that.</source>
        <translation>PowerPoint-Dateien lassen sich noch nicht lesen. Speichere sie als PDF und häng das an.</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>Precision of the context</source>
        <translation>Genauigkeit des Kontexts</translation>
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
        <source>Preparing to move to {folder}…</source>
        <translation>Verschieben nach {folder} wird vorbereitet…</translation>
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
        <source>Preset settings</source>
        <translation>Einstellungen des Presets</translation>
    </message>
    <message>
        <source>Preset “{preset}”</source>
        <translation>Preset „{preset}“</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>Voreinstellungen</translation>
    </message>
    <message>
        <source>Presets (*.json)</source>
        <translation>Voreinstellungen (*.json)</translation>
    </message>
    <message>
        <source>Presets and commands</source>
        <translation>Voreinstellungen und Befehle</translation>
    </message>
    <message numerus="yes">
        <source>Presets and commands, %n line|Presets and commands, %n lines</source>
        <translation>
            <numerusform>Voreinstellungen und Befehle, %n Zeile</numerusform>
            <numerusform>Voreinstellungen und Befehle, %n Zeilen</numerusform>
        </translation>
    </message>
    <message>
        <source>Presets…</source>
        <translation>Voreinstellungen…</translation>
    </message>
    <message>
        <source>Press a key’s button to choose another one.</source>
        <translation>Drück auf eine Taste, um eine andere zu wählen.</translation>
    </message>
    <message>
        <source>Press it and then the new keys. Escape leaves it as it is, Backspace takes the keys away.</source>
        <translation>Drück darauf und dann die neuen Tasten. Escape lässt es, wie es ist, die Rücktaste nimmt die Tasten weg.</translation>
    </message>
    <message>
        <source>Press the new keys…</source>
        <translation>Neue Tasten drücken…</translation>
    </message>
    <message>
        <source>Prevents swapping to disk. The whole model must fit in RAM.</source>
        <translation>Verhindert das Auslagern auf den Datenträger. Das ganze Modell muss in den RAM passen.</translation>
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
        <source>Previous one (Shift+Enter)</source>
        <translation>Vorheriger Treffer (Umschalt+Enter)</translation>
    </message>
    <message>
        <source>Private</source>
        <translation>Privat</translation>
    </message>
    <message>
        <source>Problems:</source>
        <translation>Probleme:</translation>
    </message>
    <message>
        <source>Processes prompts on the GPU also for layers kept in RAM. Turn off if the connection to the GPU is slow.</source>
        <translation>Verarbeitet Prompts auch für Schichten im RAM auf der GPU. Bei langsamer Anbindung der GPU ausschalten.</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>Prozessor</translation>
    </message>
    <message>
        <source>Processor features in use: {names}</source>
        <translation>Benutzte Prozessorbefehle: {names}</translation>
    </message>
    <message>
        <source>Processor: {name}, {cores}</source>
        <translation>Prozessor: {name}, {cores}</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>Progress of loading</source>
        <translation>Fortschritt des Ladens</translation>
    </message>
    <message>
        <source>Progress of the check</source>
        <translation>Fortschritt der Prüfung</translation>
    </message>
    <message>
        <source>Progress of the move</source>
        <translation>Fortschritt des Verschiebens</translation>
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
        <source>Put back</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Q4_0 (4-bit)</source>
        <translation>Q4_0 (4 Bit)</translation>
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
        <source>Quick answers, summaries and rewriting on an ordinary laptop.</source>
        <translation>Schnelle Antworten, Zusammenfassungen und Umschreiben auf einem gewöhnlichen Laptop.</translation>
    </message>
    <message>
        <source>Quick question</source>
        <translation>Schnelle Frage</translation>
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
        <source>RTF files cannot be read yet. Save it as DOCX or PDF and attach that.</source>
        <translation>RTF-Dateien lassen sich noch nicht lesen. Speichere sie als DOCX oder PDF und häng das an.</translation>
    </message>
    <message>
        <source>Random</source>
        <translation>Zufällig</translation>
    </message>
    <message>
        <source>Random again</source>
        <translation>Wieder zufällig</translation>
    </message>
    <message>
        <source>Random seed again</source>
        <translation>Wieder ein zufälliger Startwert</translation>
    </message>
    <message>
        <source>Reached the token limit</source>
        <translation>Tokengrenze erreicht</translation>
    </message>
    <message>
        <source>Read aloud</source>
        <translation>Vorlesen</translation>
    </message>
    <message>
        <source>Read the licence: {words}</source>
        <translation>Lizenz lesen: {words}</translation>
    </message>
    <message>
        <source>Read whole</source>
        <translation>Ganz gelesen</translation>
    </message>
    <message>
        <source>Read {done} of {all}.</source>
        <translation>{done} von {all} gelesen.</translation>
    </message>
    <message>
        <source>Read-only file system</source>
        <translation>der Datenträger ist schreibgeschützt</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>Lesen</translation>
    </message>
    <message numerus="yes">
        <source>Reading the conversation… {done} of %n token|Reading the conversation… {done} of %n tokens</source>
        <translation>
            <numerusform>Das Gespräch wird gelesen… {done} von %n Token</numerusform>
            <numerusform>Das Gespräch wird gelesen… {done} von %n Token</numerusform>
        </translation>
    </message>
    <message>
        <source>Reading the file…</source>
        <translation>Die Datei wird gelesen…</translation>
    </message>
    <message>
        <source>Reading the model… {percent} %</source>
        <translation>Das Modell wird gelesen … {percent} %</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>Wird gelesen…</translation>
    </message>
    <message>
        <source>Reads documents, tables, diagrams and handwriting in pictures.</source>
        <translation>Liest Dokumente, Tabellen, Diagramme und Handschrift in Bildern.</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation>Nachdenken</translation>
    </message>
    <message>
        <source>Reckoned with a conversation of {count} tokens</source>
        <translation>Gerechnet mit einem Gespräch von {count} Token</translation>
    </message>
    <message>
        <source>Record token probabilities</source>
        <translation>Token-Wahrscheinlichkeiten aufzeichnen</translation>
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
        <source>Reload smaller</source>
        <translation>Kleiner neu laden</translation>
    </message>
    <message>
        <source>Reload with these</source>
        <translation>Damit neu laden</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove access token</source>
        <translation>Zugriffstoken entfernen</translation>
    </message>
    <message>
        <source>Remove the file that cannot be attached first.</source>
        <translation>Entferne zuerst die Datei, die sich nicht anhängen lässt.</translation>
    </message>
    <message>
        <source>Remove the tag {tag}</source>
        <translation>Schlagwort {tag} entfernen</translation>
    </message>
    <message>
        <source>Remove this text</source>
        <translation>Diesen Text entfernen</translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation>{name} entfernen</translation>
    </message>
    <message>
        <source>Remove: {label}</source>
        <translation>Entfernen: {label}</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Rename this chat</source>
        <translation>Diesen Chat umbenennen</translation>
    </message>
    <message>
        <source>Repair</source>
        <translation>Reparieren</translation>
    </message>
    <message>
        <source>Repair the file</source>
        <translation>Datei reparieren</translation>
    </message>
    <message>
        <source>Repairing {percent} %</source>
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
        <translation>Neuordnen</translation>
    </message>
    <message>
        <source>Reranking: it compares texts, for searching, and cannot chat</source>
        <translation>Neuordnen: Es vergleicht Texte für die Suche und kann nicht chatten</translation>
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
        <source>Reset: {label}</source>
        <translation>Zurücksetzen: {label}</translation>
    </message>
    <message>
        <source>Reset: {words}</source>
        <translation>Zurücksetzen: {words}</translation>
    </message>
    <message>
        <source>Resource temporarily unavailable</source>
        <translation>im Moment ist nichts mehr frei</translation>
    </message>
    <message>
        <source>Response format</source>
        <translation>Antwortformat</translation>
    </message>
    <message>
        <source>Restore backup</source>
        <translation>Sicherung wiederherstellen</translation>
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
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Resume: {subject}</source>
        <translation>Fortsetzen: {subject}</translation>
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
        <translation>Zurückgehen</translation>
    </message>
    <message>
        <source>Roll back to “{previous}”</source>
        <translation>Zurück zu „{previous}“</translation>
    </message>
    <message>
        <source>Rose</source>
        <translation>Rosé</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>Regel</translation>
    </message>
    <message>
        <source>Runs on the processor, as was chosen</source>
        <translation>Läuft auf dem Prozessor, wie gewählt</translation>
    </message>
    <message>
        <source>Runs on the processor, in the memory that is free</source>
        <translation>Läuft auf dem Prozessor, im freien Speicher</translation>
    </message>
    <message>
        <source>Runs on the processor, since {gpu} has no room for a layer of it</source>
        <translation>Läuft auf dem Prozessor, denn {gpu} hat keinen Platz für eine Schicht davon</translation>
    </message>
    <message>
        <source>Runs on the processor, since {gpu} have no room for a layer of it</source>
        <translation>Läuft auf dem Prozessor, denn {gpu} haben keinen Platz für eine Schicht davon</translation>
    </message>
    <message>
        <source>Runs on the processor; about {in_host} of memory.</source>
        <translation>Läuft auf dem Prozessor; etwa {in_host} Speicher.</translation>
    </message>
    <message>
        <source>Runs on {gpu}, with the experts of {n} of {n_all} layers on the processor</source>
        <translation>Läuft auf {gpu}, mit den Experten von {n} von {n_all} Schichten auf dem Prozessor</translation>
    </message>
    <message>
        <source>Runs on {gpu}, with the experts of {n} of {n_all} layers on the processor, since {gpu} has no room for more</source>
        <translation>Läuft auf {gpu}, mit den Experten von {n} von {n_all} Schichten auf dem Prozessor, denn {gpu} hat keinen Platz für mehr</translation>
    </message>
    <message>
        <source>Runs on {gpu}, with the experts of {n} of {n_all} layers on the processor, since {gpu} have no room for more</source>
        <translation>Läuft auf {gpu}, mit den Experten von {n} von {n_all} Schichten auf dem Prozessor, denn {gpu} haben keinen Platz für mehr</translation>
    </message>
    <message>
        <source>Runs partly on the graphics card, {n_gpu_layers} of {n_layers} layers; about {on_gpus} there and {in_host} of the computer’s memory.</source>
        <translation>Läuft teils auf der Grafikkarte, {n_gpu_layers} von {n_layers} Schichten; etwa {on_gpus} dort und {in_host} Arbeitsspeicher.</translation>
    </message>
    <message>
        <source>Runs wholly on the graphics card; about {on_gpus} of its memory.</source>
        <translation>Läuft ganz auf der Grafikkarte; etwa {on_gpus} ihres Speichers.</translation>
    </message>
    <message>
        <source>Runs wholly on {gpu}</source>
        <translation>Läuft ganz auf {gpu}</translation>
    </message>
    <message>
        <source>Runtime</source>
        <translation>Runtime</translation>
    </message>
    <message>
        <source>Runtimes</source>
        <translation>Laufzeiten</translation>
    </message>
    <message>
        <source>Same as model</source>
        <translation>Wie beim Modell</translation>
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
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Save access token</source>
        <translation>Zugriffstoken speichern</translation>
    </message>
    <message>
        <source>Save as preset…</source>
        <translation>Als Voreinstellung speichern…</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Speichern unter…</translation>
    </message>
    <message>
        <source>Save code as, {name}</source>
        <translation>Code speichern unter, {name}</translation>
    </message>
    <message>
        <source>Save for this model</source>
        <translation>Für dieses Modell merken</translation>
    </message>
    <message>
        <source>Save the code as</source>
        <translation>Code speichern unter</translation>
    </message>
    <message>
        <source>Save the prompt as</source>
        <translation>Eingabe speichern unter</translation>
    </message>
    <message>
        <source>Save this chat’s settings as a preset</source>
        <translation>Einstellungen dieses Chats als Voreinstellung speichern</translation>
    </message>
    <message>
        <source>Save to file</source>
        <translation>In Datei speichern</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>Gespeichert</translation>
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
        <source>Schema or grammar</source>
        <translation>Schema oder Grammatik</translation>
    </message>
    <message>
        <source>Scroll together</source>
        <translation>Gemeinsam scrollen</translation>
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
        <source>Search settings</source>
        <translation>Einstellungen durchsuchen</translation>
    </message>
    <message>
        <source>Search the hub</source>
        <translation>Im Hub suchen</translation>
    </message>
    <message>
        <source>Search the hub, or paste an address or a name like owner/model:Q4_K_M</source>
        <translation>Im Hub suchen, oder Adresse oder Namen wie besitzer/modell:Q4_K_M einfügen</translation>
    </message>
    <message>
        <source>Search your models</source>
        <translation>Deine Modelle durchsuchen</translation>
    </message>
    <message>
        <source>Search your models by name, tag, family or precision</source>
        <translation>Nach Name, Schlagwort, Familie oder Genauigkeit suchen</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>Wird gesucht…</translation>
    </message>
    <message>
        <source>Sections</source>
        <translation>Abschnitte</translation>
    </message>
    <message>
        <source>See what is popular on the hub</source>
        <translation>Sieh, was im Hub beliebt ist</translation>
    </message>
    <message>
        <source>See what takes room</source>
        <translation>Zeigen, was Platz belegt</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Seed</translation>
    </message>
    <message>
        <source>Seed {seed}</source>
        <translation>Startwert {seed}</translation>
    </message>
    <message>
        <source>Seed {seed} is used again in this chat.</source>
        <translation>Der Startwert {seed} gilt jetzt in diesem Chat.</translation>
    </message>
    <message>
        <source>Seed {seed}.</source>
        <translation>Startwert {seed}.</translation>
    </message>
    <message>
        <source>Sees pictures</source>
        <translation>Sieht Bilder</translation>
    </message>
    <message>
        <source>Sees pictures with it</source>
        <translation>Sieht damit Bilder</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alles auswählen</translation>
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
        <source>Send now</source>
        <translation>Jetzt senden</translation>
    </message>
    <message>
        <source>Send when the answer is done</source>
        <translation>Senden, sobald die Antwort fertig ist</translation>
    </message>
    <message>
        <source>Send when the answer is done (Enter)</source>
        <translation>Senden, sobald die Antwort fertig ist (Enter)</translation>
    </message>
    <message>
        <source>Send: {prompt}</source>
        <translation>Senden: {prompt}</translation>
    </message>
    <message>
        <source>Sent when the answer is done</source>
        <translation>Wird gesendet, sobald die Antwort fertig ist</translation>
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
        <source>Set the access token</source>
        <translation>Zugriffstoken eintragen</translation>
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
        <source>Settings of this model</source>
        <translation>Einstellungen dieses Modells</translation>
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
        <source>Several at once</source>
        <translation>Mehrere zugleich</translation>
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
        <source>Share of the file</source>
        <translation>Anteil an der Datei</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Shorten the last message, or give the model a larger context.</source>
        <translation>Kürze die letzte Nachricht oder gib dem Modell einen größeren Kontext.</translation>
    </message>
    <message>
        <source>Shorten your message, or give the model a larger context.</source>
        <translation>Kürze deine Nachricht oder gib dem Modell einen größeren Kontext.</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Anzeigen</translation>
    </message>
    <message numerus="yes">
        <source>Show %n more|Show %n more</source>
        <translation>
            <numerusform>%n weitere zeigen</numerusform>
            <numerusform>%n weitere zeigen</numerusform>
        </translation>
    </message>
    <message>
        <source>Show Fireside</source>
        <translation>Fireside zeigen</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Alles zeigen</translation>
    </message>
    <message>
        <source>Show all branches of this chat</source>
        <translation>Alle Zweige dieses Chats zeigen</translation>
    </message>
    <message>
        <source>Show all branches…</source>
        <translation>Alle Zweige zeigen…</translation>
    </message>
    <message>
        <source>Show as</source>
        <translation>Zeigen als</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>Im Ordner zeigen</translation>
    </message>
    <message>
        <source>Show in the library: {subject}</source>
        <translation>In der Bibliothek zeigen: {subject}</translation>
    </message>
    <message>
        <source>Show less</source>
        <translation>Weniger zeigen</translation>
    </message>
    <message>
        <source>Show less of your message</source>
        <translation>Weniger von deiner Nachricht zeigen</translation>
    </message>
    <message>
        <source>Show more</source>
        <translation>Mehr zeigen</translation>
    </message>
    <message numerus="yes">
        <source>Show more (%n character)|Show more (%n characters)</source>
        <translation>
            <numerusform>Mehr zeigen (%n Zeichen)</numerusform>
            <numerusform>Mehr zeigen (%n Zeichen)</numerusform>
        </translation>
    </message>
    <message>
        <source>Show more of your message</source>
        <translation>Mehr von deiner Nachricht zeigen</translation>
    </message>
    <message>
        <source>Show or hide the sidebar</source>
        <translation>Seitenleiste zeigen oder verbergen</translation>
    </message>
    <message>
        <source>Show side by side</source>
        <translation>Nebeneinander zeigen</translation>
    </message>
    <message>
        <source>Show the answers side by side</source>
        <translation>Antworten nebeneinander zeigen</translation>
    </message>
    <message>
        <source>Show the download of {subject}</source>
        <translation>Download zeigen: {subject}</translation>
    </message>
    <message>
        <source>Show the figures, in bytes</source>
        <translation>Zahlen zeigen, in Byte</translation>
    </message>
    <message>
        <source>Show the rest</source>
        <translation>Den Rest zeigen</translation>
    </message>
    <message numerus="yes">
        <source>Show the rest (%n character)|Show the rest (%n characters)</source>
        <translation>
            <numerusform>Den Rest zeigen (%n Zeichen)</numerusform>
            <numerusform>Den Rest zeigen (%n Zeichen)</numerusform>
        </translation>
    </message>
    <message>
        <source>Show the rest of the answer</source>
        <translation>Rest der Antwort zeigen</translation>
    </message>
    <message>
        <source>Show the sidebar</source>
        <translation>Seitenleiste zeigen</translation>
    </message>
    <message>
        <source>Show this branch</source>
        <translation>Diesen Zweig zeigen</translation>
    </message>
    <message>
        <source>Show where tokens end</source>
        <translation>Tokengrenzen zeigen</translation>
    </message>
    <message>
        <source>Show {name} in its folder</source>
        <translation>{name} im Ordner zeigen</translation>
    </message>
    <message>
        <source>Shows a system notification when a long response finishes in the background.</source>
        <translation>Zeigt eine Systembenachrichtigung, wenn eine längere Antwort im Hintergrund fertig wird.</translation>
    </message>
    <message>
        <source>Shows how the model loads</source>
        <translation>Zeigt, wie das Modell lädt</translation>
    </message>
    <message>
        <source>Shows or hides advanced settings of “{group}”</source>
        <translation>Zeigt oder verbirgt erweiterte Einstellungen von „{group}“</translation>
    </message>
    <message>
        <source>Shows or hides what the model thought before it answered</source>
        <translation>Zeigt oder verbirgt, was das Modell vor der Antwort gedacht hat</translation>
    </message>
    <message>
        <source>Shows tokens/s, tokens and TTFT under every answer; otherwise only where the pointer or the keyboard is.</source>
        <translation>Zeigt Tokens/s, Tokens und TTFT unter jeder Antwort; sonst nur dort, wo Mauszeiger oder Tastaturfokus ist.</translation>
    </message>
    <message>
        <source>Single GPU</source>
        <translation>Einzelne GPU</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Size of the model</source>
        <translation>Größe des Modells</translation>
    </message>
    <message>
        <source>Sizes</source>
        <translation>Größen</translation>
    </message>
    <message>
        <source>Small and sober: summaries, questions about a text, and pulling facts out of it.</source>
        <translation>Klein und sachlich: Zusammenfassungen, Fragen zu einem Text, und Fakten daraus.</translation>
    </message>
    <message>
        <source>Small computers</source>
        <translation>Kleine Computer</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>Kleinerer Text</translation>
    </message>
    <message>
        <source>Some had to be read again: an earlier message was changed.</source>
        <translation>Einiges musste neu gelesen werden: Eine frühere Nachricht wurde geändert.</translation>
    </message>
    <message>
        <source>Some had to be read again: another model read this chat before.</source>
        <translation>Einiges musste neu gelesen werden: Zuvor hat ein anderes Modell diesen Chat gelesen.</translation>
    </message>
    <message>
        <source>Some had to be read again: old messages were left out to make room.</source>
        <translation>Einiges musste neu gelesen werden: Alte Nachrichten wurden weggelassen, um Platz zu machen.</translation>
    </message>
    <message>
        <source>Some had to be read again: the model is not shown what it thought for earlier answers.</source>
        <translation>Einiges musste neu gelesen werden: Was das Modell für frühere Antworten gedacht hat, wird ihm nicht gezeigt.</translation>
    </message>
    <message>
        <source>Some had to be read again: the model was loaded with other settings before.</source>
        <translation>Einiges musste neu gelesen werden: Das Modell war vorher mit anderen Einstellungen geladen.</translation>
    </message>
    <message>
        <source>Some had to be read again: the room was needed for other chats.</source>
        <translation>Einiges musste neu gelesen werden: Der Platz wurde für andere Chats gebraucht.</translation>
    </message>
    <message>
        <source>Some had to be read again: this model only remembers the latest part of what it read.</source>
        <translation>Einiges musste neu gelesen werden: Dieses Modell behält nur den letzten Teil dessen, was es gelesen hat.</translation>
    </message>
    <message>
        <source>Some had to be read again: what had been kept could not be used.</source>
        <translation>Einiges musste neu gelesen werden: Was aufgehoben war, ließ sich nicht verwenden.</translation>
    </message>
    <message>
        <source>Something is being measured already. Wait for it, or cancel it.</source>
        <translation>Es wird schon etwas gemessen. Warte darauf, oder brich es ab.</translation>
    </message>
    <message>
        <source>Something went wrong inside Fireside ({kind}). Your conversation is safe.</source>
        <translation>In Fireside ist etwas schiefgegangen ({kind}). Dein Chat ist sicher.</translation>
    </message>
    <message>
        <source>Sort by</source>
        <translation>Sortieren nach</translation>
    </message>
    <message>
        <source>Sorted ascending; turn round</source>
        <translation>Aufsteigend sortiert; umkehren</translation>
    </message>
    <message>
        <source>Sorted descending; turn round</source>
        <translation>Absteigend sortiert; umkehren</translation>
    </message>
    <message>
        <source>Spacing between lines and around buttons.</source>
        <translation>Abstand zwischen Zeilen und um Schaltflächen.</translation>
    </message>
    <message>
        <source>Speculative decoding</source>
        <translation>Spekulatives Decoding</translation>
    </message>
    <message>
        <source>Speeds are tokens a second. Perplexity says among how many tokens a model wavers on a text that each reads here; lower is better. It compares files of one model. Bits per byte compares any models.</source>
        <translation>Geschwindigkeiten in Token pro Sekunde. Die Perplexität sagt, zwischen wie vielen Token ein Modell bei einem Text schwankt, den hier jedes liest; weniger ist besser. Sie vergleicht Dateien eines Modells. Bits pro Byte vergleichen beliebige Modelle.</translation>
    </message>
    <message>
        <source>Speeds as bars</source>
        <translation>Geschwindigkeiten als Balken</translation>
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
        <source>Stale file handle</source>
        <translation>das Netzlaufwerk ist nicht mehr da</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Beginnt…</translation>
    </message>
    <message>
        <source>Stays in memory</source>
        <translation>Bleibt im Speicher</translation>
    </message>
    <message>
        <source>Steers the response’s surprise directly, in place of Top K, Top P and similar samplers.</source>
        <translation>Steuert direkt, wie überraschend die Antwort ist, anstelle von Top K, Top P und ähnlichen Samplern.</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Stop (Esc)</source>
        <translation>Stopp (Esc)</translation>
    </message>
    <message>
        <source>Stop and ask me</source>
        <translation>Anhalten und mich fragen</translation>
    </message>
    <message>
        <source>Stop loading</source>
        <translation>Nicht weiter laden</translation>
    </message>
    <message>
        <source>Stop loading {name}</source>
        <translation>{name} nicht weiter laden</translation>
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
        <source>Stop the answer</source>
        <translation>Antwort abbrechen</translation>
    </message>
    <message>
        <source>Stop the check</source>
        <translation>Prüfung abbrechen</translation>
    </message>
    <message>
        <source>Stop words</source>
        <translation>Stoppwörter</translation>
    </message>
    <message>
        <source>Stop {name}</source>
        <translation>{name} stoppen</translation>
    </message>
    <message>
        <source>Stopped by you</source>
        <translation>Von dir gestoppt</translation>
    </message>
    <message>
        <source>Stopped unexpectedly</source>
        <translation>Unerwartet beendet</translation>
    </message>
    <message>
        <source>Stopped. Files that were whole already stay.</source>
        <translation>Abgebrochen. Dateien, die schon ganz waren, bleiben.</translation>
    </message>
    <message>
        <source>Stopped. What has come in stays.</source>
        <translation>Abgebrochen. Was angekommen ist, bleibt.</translation>
    </message>
    <message>
        <source>Stopping. What is being read is read to its end first, such as a picture…</source>
        <translation>Wird angehalten. Was gerade gelesen wird, etwa ein Bild, wird noch zu Ende gelesen …</translation>
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
        <source>Stops loading</source>
        <translation>Bricht das Laden ab</translation>
    </message>
    <message>
        <source>Stops loading the model</source>
        <translation>Hält das Laden des Modells an</translation>
    </message>
    <message>
        <source>Strong at explanations, mathematics and science for its size.</source>
        <translation>Für seine Größe stark bei Erklärungen, Mathematik und Naturwissenschaften.</translation>
    </message>
    <message>
        <source>Stronger text, borders and keyboard focus.</source>
        <translation>Kräftigere Texte, Ränder und Tastaturfokus.</translation>
    </message>
    <message>
        <source>Suggested</source>
        <translation>Empfohlen</translation>
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
        <source>Summarising %n earlier message… {percent}%|Summarising %n earlier messages… {percent}%</source>
        <translation>
            <numerusform>%n frühere Nachricht wird zusammengefasst… {percent} %</numerusform>
            <numerusform>%n frühere Nachrichten werden zusammengefasst… {percent} %</numerusform>
        </translation>
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
        <source>Surprisingly able for its size, and remembers very long conversations.</source>
        <translation>Für seine Größe erstaunlich fähig, und merkt sich sehr lange Gespräche.</translation>
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
        <source>System prompt</source>
        <translation>Systemprompt</translation>
    </message>
    <message>
        <source>System prompt and template</source>
        <translation>Systemanweisung und Vorlage</translation>
    </message>
    <message>
        <source>System prompt of this chat…</source>
        <translation>Systemanweisung dieses Chats…</translation>
    </message>
    <message>
        <source>System: {name}</source>
        <translation>System: {name}</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Tag</source>
        <translation>Schlagwort</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>Schlagwörter</translation>
    </message>
    <message>
        <source>Take a file away, shorten your message, or give the model a larger context.</source>
        <translation>Nimm eine Datei weg, kürze deine Nachricht oder gib dem Modell einen größeren Kontext.</translation>
    </message>
    <message>
        <source>Take answer {number} out</source>
        <translation>Antwort {number} herausnehmen</translation>
    </message>
    <message>
        <source>Take off the list</source>
        <translation>Von der Liste nehmen</translation>
    </message>
    <message>
        <source>Take off the list: {name}</source>
        <translation>Von der Liste nehmen: {name}</translation>
    </message>
    <message>
        <source>Take off the list…</source>
        <translation>Von der Liste nehmen…</translation>
    </message>
    <message>
        <source>Take out of the archive</source>
        <translation>Aus dem Archiv holen</translation>
    </message>
    <message>
        <source>Take the finished downloads off the list; the models stay</source>
        <translation>Fertige Downloads von der Liste nehmen; die Modelle bleiben</translation>
    </message>
    <message>
        <source>Take the preset away from this chat</source>
        <translation>Voreinstellung aus diesem Chat nehmen</translation>
    </message>
    <message>
        <source>Take them back</source>
        <translation>Zurücknehmen</translation>
    </message>
    <message>
        <source>Take this answer out</source>
        <translation>Diese Antwort herausnehmen</translation>
    </message>
    <message>
        <source>Take this folder off the list?</source>
        <translation>Diesen Ordner von der Liste nehmen?</translation>
    </message>
    <message>
        <source>Take this message back</source>
        <translation>Diese Nachricht zurücknehmen</translation>
    </message>
    <message>
        <source>Take “{name}” off the list?</source>
        <translation>„{name}“ von der Liste nehmen?</translation>
    </message>
    <message>
        <source>Target surprise (tau) of Mirostat; lower is more focused.</source>
        <translation>Zielwert (Tau) von Mirostat; niedriger ist fokussierter.</translation>
    </message>
    <message>
        <source>Teal</source>
        <translation>Petrol</translation>
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
        <source>Test {name}</source>
        <translation>{name} testen</translation>
    </message>
    <message>
        <source>Tested</source>
        <translation>Getestet</translation>
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
        <source>Text fields need these keys.</source>
        <translation>Textfelder brauchen diese Tasten.</translation>
    </message>
    <message>
        <source>Text file busy</source>
        <translation>das Programm läuft gerade</translation>
    </message>
    <message>
        <source>Text of the file</source>
        <translation>Text der Datei</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>Textgröße</translation>
    </message>
    <message>
        <source>Text to insert</source>
        <translation>Text zum Einfügen</translation>
    </message>
    <message>
        <source>Texts that break up a repetition, one per line; \n is a line break.</source>
        <translation>Texte, die eine Wiederholung unterbrechen, einer pro Zeile; \n ist ein Zeilenumbruch.</translation>
    </message>
    <message numerus="yes">
        <source>That text has %n character, and a message can hold {most}. Nothing was added; the text is still on your clipboard.|That text has %n characters, and a message can hold {most}. Nothing was added; the text is still on your clipboard.</source>
        <translation>
            <numerusform>Dieser Text hat %n Zeichen, und eine Nachricht fasst {most}. Nichts wurde eingefügt; der Text ist noch in der Zwischenablage.</numerusform>
            <numerusform>Dieser Text hat %n Zeichen, und eine Nachricht fasst {most}. Nichts wurde eingefügt; der Text ist noch in der Zwischenablage.</numerusform>
        </translation>
    </message>
    <message>
        <source>The GPU used alone, or for what cannot be split; empty for the first.</source>
        <translation>Die GPU, die allein genutzt wird oder übernimmt, was sich nicht teilen lässt; leer für die erste.</translation>
    </message>
    <message>
        <source>The NVIDIA driver is installed, but not running. Restarting the computer may help.</source>
        <translation>Der NVIDIA-Treiber ist installiert, läuft aber nicht. Ein Neustart des Computers kann helfen.</translation>
    </message>
    <message>
        <source>The NVIDIA driver was updated while it was running. Restart the computer.</source>
        <translation>Der NVIDIA-Treiber wurde im Betrieb aktualisiert. Starte den Computer neu.</translation>
    </message>
    <message>
        <source>The answer failed. {reason}</source>
        <translation>Die Antwort ist fehlgeschlagen. {reason}</translation>
    </message>
    <message>
        <source>The answer follows a grammar in llama.cpp’s notation.</source>
        <translation>Die Antwort folgt einer Grammatik in der Schreibweise von llama.cpp.</translation>
    </message>
    <message>
        <source>The answer follows a grammar in the Lark notation.</source>
        <translation>Die Antwort folgt einer Grammatik in der Schreibweise von Lark.</translation>
    </message>
    <message>
        <source>The answer in “{title}” is done.</source>
        <translation>Die Antwort in „{title}“ ist fertig.</translation>
    </message>
    <message>
        <source>The answer was interrupted</source>
        <translation>Die Antwort wurde unterbrochen</translation>
    </message>
    <message>
        <source>The answer&apos;s own tokens were not kept. Its text was cut into tokens anew, which may not be the way in which it was written.</source>
        <translation>Die eigenen Token der Antwort wurden nicht aufgehoben. Ihr Text wurde neu in Token zerlegt, vielleicht anders, als er geschrieben wurde.</translation>
    </message>
    <message>
        <source>The backup is in its place. Start Fireside again to see its chats.</source>
        <translation>Die Sicherung ist an ihrem Platz. Starte Fireside neu, um ihre Chats zu sehen.</translation>
    </message>
    <message numerus="yes">
        <source>The best of %n message|The best of %n messages</source>
        <translation>
            <numerusform>Die beste von %n Nachricht</numerusform>
            <numerusform>Die besten von %n Nachrichten</numerusform>
        </translation>
    </message>
    <message>
        <source>The best quality that fits in memory: {quant}. {fit}</source>
        <translation>Die beste Qualität, die in den Speicher passt: {quant}. {fit}</translation>
    </message>
    <message>
        <source>The best quality that fits wholly on the graphics card: {quant}. {fit}</source>
        <translation>Die beste Qualität, die ganz auf die Grafikkarte passt: {quant}. {fit}</translation>
    </message>
    <message>
        <source>The build of llama.cpp that computes this model; those that passed their test</source>
        <translation>Der Build von llama.cpp, der dieses Modell rechnet; die, die ihren Test bestanden haben</translation>
    </message>
    <message>
        <source>The chat as you see it, as text that any editor opens.</source>
        <translation>Der Chat, wie du ihn siehst, als Text, den jeder Editor öffnet.</translation>
    </message>
    <message>
        <source>The chat as you see it, in one file that any browser shows.</source>
        <translation>Der Chat, wie du ihn siehst, in einer Datei, die jeder Browser zeigt.</translation>
    </message>
    <message>
        <source>The chat as you see it, on numbered pages.</source>
        <translation>Der Chat, wie du ihn siehst, auf nummerierten Seiten.</translation>
    </message>
    <message>
        <source>The chat’s own</source>
        <translation>Das des Chats</translation>
    </message>
    <message>
        <source>The chat’s preset; empty for none.</source>
        <translation>Das Preset des Chats; leer für keines.</translation>
    </message>
    <message>
        <source>The connection is not encrypted: others on the network can read the token.</source>
        <translation>Die Verbindung ist nicht verschlüsselt: Andere im Netzwerk können das Token lesen.</translation>
    </message>
    <message>
        <source>The conversation database is damaged ({reason}). It was left untouched: {path}</source>
        <translation>Die Datenbank der Gespräche ist beschädigt ({reason}). Sie wurde nicht angerührt: {path}</translation>
    </message>
    <message numerus="yes">
        <source>The conversation is longer than the model’s context of %n token.|The conversation is longer than the model’s context of %n tokens.</source>
        <translation>
            <numerusform>Das Gespräch ist länger als der Kontext des Modells von %n Token.</numerusform>
            <numerusform>Das Gespräch ist länger als der Kontext des Modells von %n Token.</numerusform>
        </translation>
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
        <source>The disk is full.</source>
        <translation>Die Platte ist voll.</translation>
    </message>
    <message>
        <source>The disk is full. It goes on as soon as there is room.</source>
        <translation>Die Platte ist voll. Es geht weiter, sobald Platz ist.</translation>
    </message>
    <message>
        <source>The disk is full. What you see is kept in memory and saved as soon as there is room.</source>
        <translation>Das Laufwerk ist voll. Was du siehst, bleibt im Arbeitsspeicher und wird gespeichert, sobald Platz ist.</translation>
    </message>
    <message>
        <source>The disk reported an error.</source>
        <translation>Die Platte meldete einen Fehler.</translation>
    </message>
    <message>
        <source>The display “{display}” does not answer.</source>
        <translation>Die Anzeige „{display}“ antwortet nicht.</translation>
    </message>
    <message>
        <source>The download of {name} did not work.</source>
        <translation>Der Download von {name} hat nicht geklappt.</translation>
    </message>
    <message>
        <source>The download of {name} is cancelled.</source>
        <translation>Der Download von {name} ist abgebrochen.</translation>
    </message>
    <message>
        <source>The draft of this chat was changed in another window. The one typed last is kept.</source>
        <translation>Der Entwurf dieses Chats wurde in einem anderen Fenster geändert. Behalten wird der zuletzt getippte.</translation>
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
        <source>The file</source>
        <translation>Die Datei</translation>
    </message>
    <message>
        <source>The file could not be read</source>
        <translation>Die Datei konnte nicht gelesen werden</translation>
    </message>
    <message>
        <source>The file has changed on the hub, so it is fetched from its beginning.</source>
        <translation>Die Datei hat sich auf dem Hub geändert, darum wird sie von vorn geholt.</translation>
    </message>
    <message>
        <source>The file has no chat template. The one of {fallback} stands in for it.</source>
        <translation>Die Datei hat keine Chatvorlage. Die von {fallback} springt ein.</translation>
    </message>
    <message>
        <source>The file has no template. A common form is used.</source>
        <translation>Die Datei hat keine Vorlage. Eine übliche Form wird benutzt.</translation>
    </message>
    <message>
        <source>The file is damaged. It can be repaired.</source>
        <translation>Die Datei ist beschädigt. Sie kann repariert werden.</translation>
    </message>
    <message>
        <source>The file names none</source>
        <translation>Die Datei nennt keine</translation>
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
        <source>The file that this link points to is not there.</source>
        <translation>Die Datei, auf die dieser Verweis zeigt, ist nicht da.</translation>
    </message>
    <message>
        <source>The file was moved or deleted while Fireside was running.</source>
        <translation>Die Datei wurde verschoben oder gelöscht, während Fireside lief.</translation>
    </message>
    <message>
        <source>The file “{name}” is not fetched: {reason}</source>
        <translation>Die Datei „{name}“ wird nicht geholt: {reason}</translation>
    </message>
    <message>
        <source>The first answer comes sooner; loading can be cancelled.</source>
        <translation>Die erste Antwort kommt früher; das Laden lässt sich abbrechen.</translation>
    </message>
    <message>
        <source>The folder of the runtimes cannot be written to ({reason}): {path}</source>
        <translation>In den Ordner der Laufzeiten kann nicht geschrieben werden ({reason}): {path}</translation>
    </message>
    <message numerus="yes">
        <source>The folder {folder} is no longer listed, with its model. Its files stay.|The folder {folder} is no longer listed, with all %n models in it. Its files stay.</source>
        <translation>
            <numerusform>Der Ordner {folder} steht mit seinem Modell nicht mehr in der Liste. Seine Dateien bleiben.</numerusform>
            <numerusform>Der Ordner {folder} steht mit allen %n Modellen nicht mehr in der Liste. Seine Dateien bleiben.</numerusform>
        </translation>
    </message>
    <message>
        <source>The gist of a text or a file</source>
        <translation>Der Kern eines Textes oder einer Datei</translation>
    </message>
    <message>
        <source>The graphics card stopped answering, so this model runs on the processor for now. Load it again to use the card.</source>
        <translation>Die Grafikkarte antwortet nicht mehr, darum läuft dieses Modell vorerst auf dem Prozessor. Lade es neu, um die Karte wieder zu benutzen.</translation>
    </message>
    <message>
        <source>The hardware report is copied.</source>
        <translation>Der Hardwarebericht ist kopiert.</translation>
    </message>
    <message>
        <source>The hub does not accept your access token. It may have expired: make a new one.</source>
        <translation>Der Hub nimmt dein Zugriffstoken nicht an. Vielleicht ist es abgelaufen: Lege ein neues an.</translation>
    </message>
    <message>
        <source>The hub does not allow you to read “{what}”. Your access token may lack the right to: make one that may read, and put it into the settings.</source>
        <translation>Der Hub erlaubt dir nicht, „{what}“ zu lesen. Vielleicht fehlt deinem Zugangstoken das Recht dazu: Erstelle eines, das lesen darf, und trage es in den Einstellungen ein.</translation>
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
        <source>The image that the model is shown.</source>
        <translation>Das Bild, das dem Modell gezeigt wird.</translation>
    </message>
    <message>
        <source>The last answer came at {pace} tokens a second instead of {usual}. Other programs may need the memory or the processor; loaded smaller, the model leaves them room.</source>
        <translation>Die letzte Antwort kam mit {pace} statt {usual} Token pro Sekunde. Vielleicht brauchen andere Programme den Speicher oder den Prozessor; kleiner geladen, lässt ihnen das Modell Platz.</translation>
    </message>
    <message>
        <source>The last answer is copied.</source>
        <translation>Die letzte Antwort ist kopiert.</translation>
    </message>
    <message>
        <source>The last good ones are back</source>
        <translation>Die letzten brauchbaren sind wieder da</translation>
    </message>
    <message>
        <source>The latest load</source>
        <translation>Das letzte Laden</translation>
    </message>
    <message>
        <source>The layers they apply to, such as 10-20; empty for all.</source>
        <translation>Die Schichten, auf die sie wirken, etwa 10-20; leer für alle.</translation>
    </message>
    <message>
        <source>The library is being moved.</source>
        <translation>Die Bibliothek wird verschoben.</translation>
    </message>
    <message numerus="yes">
        <source>The library lies in {folder} now: %n file, {size}.|The library lies in {folder} now: %n files, {size}.</source>
        <translation>
            <numerusform>Die Bibliothek liegt jetzt in {folder}: %n Datei, {size}.</numerusform>
            <numerusform>Die Bibliothek liegt jetzt in {folder}: %n Dateien, {size}.</numerusform>
        </translation>
    </message>
    <message>
        <source>The list of well-known models cannot be read: {reason} Install Fireside again.</source>
        <translation>Die Liste bekannter Modelle ist nicht lesbar: {reason} Installiere Fireside neu.</translation>
    </message>
    <message>
        <source>The llama.cpp build that runs the model. Manage runtimes on the Hardware page.</source>
        <translation>Der llama.cpp-Build, der das Modell ausführt. Runtimes verwaltest du auf der Seite „Hardware“.</translation>
    </message>
    <message>
        <source>The makers of {repo} ask you to accept their terms first, on {page}</source>
        <translation>Wer {repo} anbietet, möchte, dass du zuerst die Bedingungen annimmst: {page}</translation>
    </message>
    <message>
        <source>The message and what followed it are deleted.</source>
        <translation>Die Nachricht und was auf sie folgte ist gelöscht.</translation>
    </message>
    <message>
        <source>The model</source>
        <translation>Das Modell</translation>
    </message>
    <message>
        <source>The model computes values that are not numbers. Its file may be damaged, or this device does not compute it rightly.</source>
        <translation>Das Modell berechnet Werte, die keine Zahlen sind. Vielleicht ist die Datei beschädigt, oder dieses Gerät rechnet damit falsch.</translation>
    </message>
    <message>
        <source>The model continues until the token limit or the end of the context.</source>
        <translation>Das Modell schreibt bis zum Tokenlimit oder bis zum Ende des Kontexts weiter.</translation>
    </message>
    <message>
        <source>The model file is no longer there: {path}</source>
        <translation>Die Modelldatei ist nicht mehr da: {path}</translation>
    </message>
    <message>
        <source>The model for new chats; empty for the included starter model.</source>
        <translation>Das Modell für neue Chats; leer für das mitgelieferte Startmodell.</translation>
    </message>
    <message>
        <source>The model has room for {now} tokens now; when it answered, it had {then}.</source>
        <translation>Das Modell hat jetzt Platz für {now} Token; als es antwortete, waren es {then}.</translation>
    </message>
    <message>
        <source>The model is not loaded. It words the prompt itself and must be loaded for that.</source>
        <translation>Das Modell ist nicht geladen. Es formuliert die Eingabe selbst und muss dafür geladen sein.</translation>
    </message>
    <message>
        <source>The model is still answering in this chat. Stop it first, or wait until it is done.</source>
        <translation>Das Modell antwortet in diesem Chat noch. Halte es erst an, oder warte, bis es fertig ist.</translation>
    </message>
    <message numerus="yes">
        <source>The model no longer sees the first message after those that are summarised: the conversation is longer than its context.|The model no longer sees the first %n messages after those that are summarised: the conversation is longer than its context.</source>
        <translation>
            <numerusform>Das Modell sieht die erste Nachricht nach den zusammengefassten nicht mehr: Das Gespräch ist länger als sein Kontext.</numerusform>
            <numerusform>Das Modell sieht die ersten %n Nachrichten nach den zusammengefassten nicht mehr: Das Gespräch ist länger als sein Kontext.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The model no longer sees the first message: the conversation is longer than its context.|The model no longer sees the first %n messages: the conversation is longer than its context.</source>
        <translation>
            <numerusform>Das Modell sieht die erste Nachricht nicht mehr: Das Gespräch ist länger als sein Kontext.</numerusform>
            <numerusform>Das Modell sieht die ersten %n Nachrichten nicht mehr: Das Gespräch ist länger als sein Kontext.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The model no longer sees the message above|The model no longer sees the %n messages above</source>
        <translation>
            <numerusform>Das Modell sieht die Nachricht darüber nicht mehr</numerusform>
            <numerusform>Das Modell sieht die %n Nachrichten darüber nicht mehr</numerusform>
        </translation>
    </message>
    <message>
        <source>The model reads its answer once more…</source>
        <translation>Das Modell liest seine Antwort noch einmal…</translation>
    </message>
    <message numerus="yes">
        <source>The model sees a summary of the message above|The model sees a summary of the %n messages above</source>
        <translation>
            <numerusform>Das Modell sieht eine Zusammenfassung der Nachricht darüber</numerusform>
            <numerusform>Das Modell sieht eine Zusammenfassung der %n Nachrichten darüber</numerusform>
        </translation>
    </message>
    <message>
        <source>The model stops thinking and answers after this many tokens.</source>
        <translation>Nach so vielen Tokens hört das Modell auf nachzudenken und antwortet.</translation>
    </message>
    <message>
        <source>The model that comes with Fireside is not there, so nothing can be asked.</source>
        <translation>Das mitgelieferte Modell ist nicht da, also lässt sich nichts fragen.</translation>
    </message>
    <message>
        <source>The model took {size} more of the computer’s memory than was predicted. Loaded smaller, it leaves room again.</source>
        <translation>Das Modell hat {size} mehr vom Arbeitsspeicher genommen als vorhergesagt. Kleiner geladen lässt es wieder Platz.</translation>
    </message>
    <message>
        <source>The model took {size} more of {device} than was predicted. Loaded smaller, it leaves room again.</source>
        <translation>Das Modell hat {size} mehr von {device} genommen als vorhergesagt. Kleiner geladen lässt es wieder Platz.</translation>
    </message>
    <message>
        <source>The model writes a summary first; you can see and change it.</source>
        <translation>Das Modell schreibt zuerst eine Zusammenfassung; du kannst sie sehen und ändern.</translation>
    </message>
    <message>
        <source>The model writes as it likes.</source>
        <translation>Das Modell schreibt, wie es mag.</translation>
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
        <source>The model’s context is {percent}% full.</source>
        <translation>Der Kontext des Modells ist zu {percent} % voll.</translation>
    </message>
    <message>
        <source>The model’s file has changed since it was measured.</source>
        <translation>Die Datei des Modells hat sich seit der Messung geändert.</translation>
    </message>
    <message>
        <source>The model’s own name</source>
        <translation>Eigener Name des Modells</translation>
    </message>
    <message>
        <source>The move was cancelled. Everything is where it was.</source>
        <translation>Das Verschieben wurde abgebrochen. Alles ist, wo es war.</translation>
    </message>
    <message>
        <source>The newer version is in the queue.</source>
        <translation>Die neuere Version ist in der Warteschlange.</translation>
    </message>
    <message>
        <source>The only chat</source>
        <translation>Der einzige Chat</translation>
    </message>
    <message>
        <source>The order in which samplers run, one per line. Samplers left out are off.</source>
        <translation>Die Reihenfolge, in der Sampler laufen, einer pro Zeile. Nicht genannte sind aus.</translation>
    </message>
    <message>
        <source>The preset at place {place} cannot be read.</source>
        <translation>Die Voreinstellung an Stelle {place} lässt sich nicht lesen.</translation>
    </message>
    <message>
        <source>The preset of this chat. Click to choose another.</source>
        <translation>Die Voreinstellung dieses Chats. Klick, um eine andere zu wählen.</translation>
    </message>
    <message>
        <source>The preset’s model is not here: {model_id}.</source>
        <translation>Das Modell der Voreinstellung ist nicht da: {model_id}.</translation>
    </message>
    <message>
        <source>The process that runs models could not be started: {reason}</source>
        <translation>Der Prozess, in dem Modelle laufen, konnte nicht gestartet werden: {reason}</translation>
    </message>
    <message>
        <source>The prompt</source>
        <translation>Die Eingabe</translation>
    </message>
    <message>
        <source>The prompt could not be saved: {problem}</source>
        <translation>Die Eingabe ließ sich nicht speichern: {problem}</translation>
    </message>
    <message>
        <source>The runtime</source>
        <translation>Die Laufzeit</translation>
    </message>
    <message>
        <source>The same card as {name}, listed a second time: it is used once.</source>
        <translation>Dieselbe Karte wie {name}, ein zweites Mal aufgeführt: Sie wird einmal benutzt.</translation>
    </message>
    <message>
        <source>The same content in {place}, takes no further space</source>
        <translation>Derselbe Inhalt in {place}, ohne weiteren Platz</translation>
    </message>
    <message>
        <source>The same content in {place}, {size} more</source>
        <translation>Derselbe Inhalt in {place}, weitere {size}</translation>
    </message>
    <message>
        <source>The same question</source>
        <translation>Dieselbe Frage</translation>
    </message>
    <message>
        <source>The same question is answered in columns side by side. Models that do not fit into memory together take turns. All answers stay; keep the one that you like in front.</source>
        <translation>Dieselbe Frage wird nebeneinander in Spalten beantwortet. Modelle, die zusammen nicht in den Speicher passen, wechseln sich ab. Alle Antworten bleiben; hol die nach vorn, die dir gefällt.</translation>
    </message>
    <message>
        <source>The same question with the same settings gets the same answer.</source>
        <translation>Dieselbe Frage mit denselben Einstellungen bekommt dieselbe Antwort.</translation>
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
        <source>The search did not work</source>
        <translation>Die Suche hat nicht geklappt</translation>
    </message>
    <message>
        <source>The setting “{name}” cannot be used: {reason}</source>
        <translation>Die Einstellung „{name}“ ist nicht verwendbar: {reason}</translation>
    </message>
    <message>
        <source>The settings as they are</source>
        <translation>Die Einstellungen, wie sie sind</translation>
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
        <source>The settings have changed since. This is the prompt of then, not of a new answer.</source>
        <translation>Die Einstellungen haben sich seitdem geändert. Das ist die Eingabe von damals, nicht die einer neuen Antwort.</translation>
    </message>
    <message>
        <source>The settings of this answer were not kept. This is the prompt that those of now make.</source>
        <translation>Die Einstellungen dieser Antwort wurden nicht aufbewahrt. Das ist die Eingabe, die die jetzigen ergeben.</translation>
    </message>
    <message>
        <source>The starter model answered with it on {devices}, at {speed} tokens a second.</source>
        <translation>Das Startmodell hat damit auf {devices} geantwortet, mit {speed} Token in der Sekunde.</translation>
    </message>
    <message>
        <source>The starter model answered with it on {devices}.</source>
        <translation>Das Startmodell hat damit auf {devices} geantwortet.</translation>
    </message>
    <message>
        <source>The system does not allow it.</source>
        <translation>Das System erlaubt es nicht.</translation>
    </message>
    <message>
        <source>The system&apos;s keyring did not do what it was asked: {reason}</source>
        <translation>Der Schlüsselbund des Systems tat nicht, worum er gebeten wurde: {reason}</translation>
    </message>
    <message>
        <source>The system&apos;s keyring is locked. Unlock it and try again.</source>
        <translation>Der Schlüsselbund des Systems ist gesperrt. Entsperre ihn und versuche es noch einmal.</translation>
    </message>
    <message numerus="yes">
        <source>The text that the model is given, %n character. The first {shown} are shown here.|The text that the model is given, %n characters. The first {shown} are shown here.</source>
        <translation>
            <numerusform>Der Text, den das Modell bekommt, %n Zeichen. Die ersten {shown} stehen hier.</numerusform>
            <numerusform>Der Text, den das Modell bekommt, %n Zeichen. Die ersten {shown} stehen hier.</numerusform>
        </translation>
    </message>
    <message>
        <source>The text that the model is given.</source>
        <translation>Der Text, den das Modell bekommt.</translation>
    </message>
    <message>
        <source>The usual place</source>
        <translation>Der übliche Ort</translation>
    </message>
    <message>
        <source>The whole answer fits a pattern, for numbers, codes or choices.</source>
        <translation>Die ganze Antwort folgt einem Muster: Zahlen, Codes oder eine feste Auswahl.</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Farbschema</translation>
    </message>
    <message>
        <source>Theme: {choice}</source>
        <translation>Design: {choice}</translation>
    </message>
    <message>
        <source>There are no chats in it that Fireside knows how to read.</source>
        <translation>Darin sind keine Chats, die Fireside lesen kann.</translation>
    </message>
    <message>
        <source>There are no model files (.gguf) in this repository.</source>
        <translation>In diesem Repository sind keine Modelldateien (.gguf).</translation>
    </message>
    <message>
        <source>There are no models yet.</source>
        <translation>Es gibt noch keine Modelle.</translation>
    </message>
    <message>
        <source>There are no tokens in this answer.</source>
        <translation>In dieser Antwort sind keine Token.</translation>
    </message>
    <message>
        <source>There is no backup yet.</source>
        <translation>Es gibt noch keine Sicherung.</translation>
    </message>
    <message>
        <source>There is no display here.</source>
        <translation>Hier gibt es keine Anzeige.</translation>
    </message>
    <message>
        <source>There is no model called “{name}” in your library.</source>
        <translation>In deiner Bibliothek gibt es kein Modell namens „{name}“.</translation>
    </message>
    <message>
        <source>There is no model called “{name}” in your library. Do you mean “{near}”?</source>
        <translation>In deiner Bibliothek gibt es kein Modell namens „{name}“. Meinst du „{near}“?</translation>
    </message>
    <message>
        <source>There is no model file (.gguf) in it.</source>
        <translation>Keine Modelldatei (.gguf) darin.</translation>
    </message>
    <message>
        <source>There is no model to measure yet. Find one under Discover.</source>
        <translation>Es gibt noch kein Modell zum Messen. Unter Entdecken findest du eins.</translation>
    </message>
    <message>
        <source>There is no model yet.</source>
        <translation>Noch gibt es kein Modell.</translation>
    </message>
    <message>
        <source>There is no room on the disk for {name}.</source>
        <translation>Auf dem Laufwerk ist kein Platz für {name}.</translation>
    </message>
    <message>
        <source>There is no runtime called “{name}”. Choose one that the page “Hardware” or “fireside runtime list” names.</source>
        <translation>Eine Laufzeit namens „{name}“ gibt es nicht. Nimm eine, die auf der Seite „Hardware“ oder in „fireside runtime list“ steht.</translation>
    </message>
    <message>
        <source>There is no such file: {path}</source>
        <translation>Diese Datei gibt es nicht: {path}</translation>
    </message>
    <message>
        <source>There is no such folder: {path}</source>
        <translation>Diesen Ordner gibt es nicht: {path}</translation>
    </message>
    <message>
        <source>There is no text in it.</source>
        <translation>Es ist kein Text darin.</translation>
    </message>
    <message>
        <source>There is no text in it: its pages are pictures, as from a scanner.</source>
        <translation>Es ist kein Text darin: Die Seiten sind Bilder, wie von einem Scanner.</translation>
    </message>
    <message>
        <source>There is no text in it; the model is told so.</source>
        <translation>Sie enthält keinen Text; das wird dem Modell gesagt.</translation>
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
        <source>There is nothing new in it: its models are listed already.</source>
        <translation>Darin ist nichts Neues: Die Modelle stehen schon in der Liste.</translation>
    </message>
    <message>
        <source>There is nothing to move: no model has been downloaded yet.</source>
        <translation>Es gibt nichts zu verschieben: Noch wurde kein Modell heruntergeladen.</translation>
    </message>
    <message numerus="yes">
        <source>There was no time for %n more trial.|There was no time for %n more trials.</source>
        <translation>
            <numerusform>Für %n weiteren Versuch blieb keine Zeit.</numerusform>
            <numerusform>Für %n weitere Versuche blieb keine Zeit.</numerusform>
        </translation>
    </message>
    <message>
        <source>There was no time to measure that twice.</source>
        <translation>Es blieb keine Zeit, das zweimal zu messen.</translation>
    </message>
    <message>
        <source>These conversations were written by a newer Fireside. Update the program to open them.</source>
        <translation>Diese Gespräche hat ein neueres Fireside geschrieben. Aktualisiere das Programm, um sie zu öffnen.</translation>
    </message>
    <message>
        <source>These hold for this answer alone. It stands beside the others, and none is lost.</source>
        <translation>Das gilt nur für diese Antwort. Sie steht neben den anderen, keine geht verloren.</translation>
    </message>
    <message>
        <source>These models were loaded meanwhile: {models}.</source>
        <translation>Währenddessen waren diese Modelle geladen: {models}.</translation>
    </message>
    <message>
        <source>These old files could not be removed: {names}.</source>
        <translation>Diese alten Dateien konnten nicht entfernt werden: {names}.</translation>
    </message>
    <message>
        <source>They are all there.</source>
        <translation>Sie sind alle da.</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>Denken</translation>
    </message>
    <message>
        <source>Thinking budget (tokens)</source>
        <translation>Denkbudget (Tokens)</translation>
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
        <source>Thinks before it answers, and is fast for its size, since only a part of it works at a time.</source>
        <translation>Denkt vor der Antwort nach und ist schnell für seine Größe, weil immer nur ein Teil davon arbeitet.</translation>
    </message>
    <message>
        <source>This answer was interrupted. What had arrived is kept.</source>
        <translation>Diese Antwort wurde unterbrochen. Was schon da war, bleibt erhalten.</translation>
    </message>
    <message>
        <source>This backup cannot be brought back, and nothing was changed ({reason}): {path}</source>
        <translation>Diese Sicherung lässt sich nicht zurückholen, und nichts wurde geändert ({reason}): {path}</translation>
    </message>
    <message>
        <source>This chat</source>
        <translation>Dieser Chat</translation>
    </message>
    <message>
        <source>This chat has a system prompt of its own. Click to change it.</source>
        <translation>Dieser Chat hat eine eigene Systemanweisung. Klick, um sie zu ändern.</translation>
    </message>
    <message numerus="yes">
        <source>This chat has one branch.|This chat has %n branches. Arrow keys go through them, Return shows one.</source>
        <translation>
            <numerusform>Dieser Chat hat einen Zweig.</numerusform>
            <numerusform>Dieser Chat hat %n Zweige. Die Pfeiltasten gehen sie durch, Enter zeigt einen.</numerusform>
        </translation>
    </message>
    <message>
        <source>This chat in a new window</source>
        <translation>Diesen Chat in einem neuen Fenster</translation>
    </message>
    <message numerus="yes">
        <source>This chat needs %n token, and the context holds {size}.|This chat needs %n tokens, and the context holds {size}.</source>
        <translation>
            <numerusform>Dieser Chat braucht %n Token, und der Kontext fasst {size}.</numerusform>
            <numerusform>Dieser Chat braucht %n Tokens, und der Kontext fasst {size}.</numerusform>
        </translation>
    </message>
    <message>
        <source>This computer’s memory</source>
        <translation>Arbeitsspeicher dieses Computers</translation>
    </message>
    <message>
        <source>This does not fit into the model’s context</source>
        <translation>Das passt nicht in den Kontext des Modells</translation>
    </message>
    <message numerus="yes">
        <source>This does not fit: it needs %n token, and the context holds {size}.|This does not fit: it needs %n tokens, and the context holds {size}.</source>
        <translation>
            <numerusform>Das passt nicht: Es braucht %n Token, und der Kontext fasst {size}.</numerusform>
            <numerusform>Das passt nicht: Es braucht %n Token, und der Kontext fasst {size}.</numerusform>
        </translation>
    </message>
    <message>
        <source>This download is no longer there.</source>
        <translation>Diesen Download gibt es nicht mehr.</translation>
    </message>
    <message>
        <source>This format needs a schema, a regular expression or a grammar.</source>
        <translation>Dieses Format braucht ein Schema, einen regulären Ausdruck oder eine Grammatik.</translation>
    </message>
    <message>
        <source>This grammar can be used.</source>
        <translation>Diese Grammatik lässt sich verwenden.</translation>
    </message>
    <message>
        <source>This grammar cannot be used yet. {reason}</source>
        <translation>Diese Grammatik lässt sich noch nicht verwenden. {reason}</translation>
    </message>
    <message>
        <source>This is a new chat with all that was said up to there.</source>
        <translation>Das ist ein neuer Chat mit allem, was bis dahin gesagt wurde.</translation>
    </message>
    <message>
        <source>This is not a usable model file: {reason}</source>
        <translation>Das ist keine brauchbare Modelldatei: {reason}</translation>
    </message>
    <message>
        <source>This kind of model (“{kind}”) is not known to the llama.cpp in use. A newer one may know it: it can be added on the page “Hardware”. Until then, choose another model.</source>
        <translation>Das verwendete llama.cpp kennt diese Art von Modell („{kind}“) nicht. Ein neueres kennt sie vielleicht: Es lässt sich auf der Seite „Hardware“ hinzufügen. Wähle bis dahin ein anderes Modell.</translation>
    </message>
    <message>
        <source>This list of tags</source>
        <translation>Diese Liste von Schlagwörtern</translation>
    </message>
    <message>
        <source>This message cannot be read.</source>
        <translation>Diese Nachricht lässt sich nicht lesen.</translation>
    </message>
    <message>
        <source>This message is damaged on the disk and cannot be shown. The others are not affected.</source>
        <translation>Diese Nachricht ist auf dem Laufwerk beschädigt und kann nicht angezeigt werden. Die anderen sind nicht betroffen.</translation>
    </message>
    <message>
        <source>This message is damaged on the disk and could not be read.</source>
        <translation>Diese Nachricht ist auf der Platte beschädigt und war nicht zu lesen.</translation>
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
        <source>This model</source>
        <translation>Dieses Modell</translation>
    </message>
    <message>
        <source>This model cannot be shown</source>
        <translation>Dieses Modell kann nicht gezeigt werden</translation>
    </message>
    <message>
        <source>This model cannot see images</source>
        <translation>Dieses Modell kann keine Bilder sehen</translation>
    </message>
    <message>
        <source>This model cannot see images.</source>
        <translation>Dieses Modell kann keine Bilder sehen.</translation>
    </message>
    <message>
        <source>This model cannot see images. Remove the image, or choose a model that can.</source>
        <translation>Dieses Modell kann keine Bilder sehen. Entferne das Bild oder wähle ein Modell, das es kann.</translation>
    </message>
    <message>
        <source>This model file could not be removed: {reason}</source>
        <translation>Diese Modelldatei konnte nicht entfernt werden: {reason}</translation>
    </message>
    <message>
        <source>This model has not been tuned yet.</source>
        <translation>Dieses Modell ist noch nicht abgestimmt.</translation>
    </message>
    <message>
        <source>This model is for {is_for} and cannot {wanted}. Choose another model.</source>
        <translation>Dieses Modell ist für „{is_for}“ gemacht und kann nicht „{wanted}“. Wähle ein anderes Modell.</translation>
    </message>
    <message>
        <source>This name</source>
        <translation>Dieser Name</translation>
    </message>
    <message>
        <source>This pattern can be used.</source>
        <translation>Dieses Muster lässt sich verwenden.</translation>
    </message>
    <message>
        <source>This pattern cannot be used yet. {reason}</source>
        <translation>Dieses Muster lässt sich noch nicht verwenden. {reason}</translation>
    </message>
    <message>
        <source>This preset cannot be kept: {reason}</source>
        <translation>Diese Voreinstellung kann nicht behalten werden: {reason}</translation>
    </message>
    <message>
        <source>This schema can be used.</source>
        <translation>Dieses Schema lässt sich verwenden.</translation>
    </message>
    <message>
        <source>This schema cannot be used yet. {reason}</source>
        <translation>Dieses Schema lässt sich noch nicht verwenden. {reason}</translation>
    </message>
    <message>
        <source>This session keeps nothing, so there is nothing to back up.</source>
        <translation>Diese Sitzung behält nichts, also gibt es nichts zu sichern.</translation>
    </message>
    <message>
        <source>This system has no keyring, so the token is kept until Fireside closes. You can save it in an unencrypted file that only your user account can read.</source>
        <translation>Dieses System hat keinen Schlüsselbund, daher bleibt das Token nur bis zum Beenden von Fireside. Du kannst es in einer unverschlüsselten Datei speichern, die nur dein Benutzerkonto lesen kann.</translation>
    </message>
    <message>
        <source>This system has no safe place for passwords that Fireside can use: {reason}</source>
        <translation>Dieses System hat keinen sicheren Ort für Kennwörter, den Fireside nutzen kann: {reason}</translation>
    </message>
    <message>
        <source>This tag</source>
        <translation>Dieses Schlagwort</translation>
    </message>
    <message>
        <source>This text cannot be sent: {reason}</source>
        <translation>Dieser Text kann nicht gesendet werden: {reason}</translation>
    </message>
    <message>
        <source>This time only: the model’s settings stay as they are</source>
        <translation>Nur dieses Mal: Die Einstellungen des Modells bleiben, wie sie sind</translation>
    </message>
    <message>
        <source>This was begun in a window that is closed, and not sent.</source>
        <translation>Das wurde in einem Fenster begonnen, das geschlossen ist, und nicht gesendet.</translation>
    </message>
    <message>
        <source>This {kind} cannot be used for the answer: {reason} Correct it, or choose another answer format.</source>
        <translation>Als Regel für die Antwort nicht verwendbar ({kind}): {reason} Ändere sie, oder wähle ein anderes Antwortformat.</translation>
    </message>
    <message>
        <source>This {what} is no longer there.</source>
        <translation>Nicht mehr vorhanden: {what}.</translation>
    </message>
    <message>
        <source>Those that are pressed are used.</source>
        <translation>Die gedrückten werden benutzt.</translation>
    </message>
    <message>
        <source>Thought</source>
        <translation>Nachgedacht</translation>
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
        <source>Thought, and wrote no answer</source>
        <translation>Hat gedacht und keine Antwort geschrieben</translation>
    </message>
    <message>
        <source>Thoughts</source>
        <translation>Gedanken</translation>
    </message>
    <message>
        <source>Thread spin count</source>
        <translation>Aktives Warten der Threads</translation>
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
        <source>Throw away</source>
        <translation>Wegwerfen</translation>
    </message>
    <message>
        <source>Throw away the {arrived} that are here?</source>
        <translation>Die {arrived}, die schon hier sind, wegwerfen?</translation>
    </message>
    <message numerus="yes">
        <source>To make room, %n token of the older part was cut out of what the model sees.|To make room, %n tokens of the older part were cut out of what the model sees.</source>
        <translation>
            <numerusform>Um Platz zu machen, wurde %n Token des älteren Teils aus dem geschnitten, was das Modell sieht.</numerusform>
            <numerusform>Um Platz zu machen, wurden %n Token des älteren Teils aus dem geschnitten, was das Modell sieht.</numerusform>
        </translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>Together with Ctrl or Alt, or a function key: else it could not be typed any more.</source>
        <translation>Zusammen mit Strg oder Alt, oder eine Funktionstaste: Sonst ließe sie sich nicht mehr tippen.</translation>
    </message>
    <message>
        <source>Token probabilities</source>
        <translation>Wahrscheinlichkeiten der Token</translation>
    </message>
    <message>
        <source>Tokens computed at once. Smaller uses less memory and stops sooner.</source>
        <translation>Gleichzeitig berechnete Tokens. Kleiner braucht weniger Speicher und stoppt schneller.</translation>
    </message>
    <message>
        <source>Tokens of the answer</source>
        <translation>Token der Antwort</translation>
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
        <source>Tool</source>
        <translation>Werkzeug</translation>
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
        <source>Trained for {context} tokens ({n_ctx_train})</source>
        <translation>Trainiert auf {context} Token ({n_ctx_train})</translation>
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
        <source>Tries threads, batches, attention and more with this model on this computer, and finds what is fastest. It takes less than two minutes; nothing is changed before you keep it.</source>
        <translation>Probiert mit diesem Modell auf diesem Rechner Rechenfäden, Stapelgrößen, Attention und mehr und findet, was am schnellsten ist. Es dauert weniger als zwei Minuten; geändert wird erst etwas, wenn du es behältst.</translation>
    </message>
    <message>
        <source>Truncate middle</source>
        <translation>Mitte auslassen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>Try again to find more</source>
        <translation>Noch einmal nach weiteren suchen</translation>
    </message>
    <message>
        <source>Try again: {subject}</source>
        <translation>Noch einmal versuchen: {subject}</translation>
    </message>
    <message>
        <source>Try now</source>
        <translation>Jetzt versuchen</translation>
    </message>
    <message>
        <source>Tune</source>
        <translation>Abstimmen</translation>
    </message>
    <message>
        <source>Tune again</source>
        <translation>Neu abstimmen</translation>
    </message>
    <message>
        <source>Turn the order round</source>
        <translation>Reihenfolge umkehren</translation>
    </message>
    <message>
        <source>Turns English texts into numbers that can be compared; small and quick. It does not chat.</source>
        <translation>Macht aus englischen Texten Zahlen, die sich vergleichen lassen; klein und schnell. Es chattet nicht.</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
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
        <source>Undo</source>
        <translation>Rückgängig</translation>
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
        <source>Unloaded to give back {size} of memory that it no longer needed. The next message loads it again.</source>
        <translation>Entladen, um {size} Speicher zurückzugeben, den es nicht mehr brauchte. Die nächste Nachricht lädt es wieder.</translation>
    </message>
    <message>
        <source>Unloading</source>
        <translation>Wird entladen</translation>
    </message>
    <message>
        <source>Unloading ends the answers of {models}.</source>
        <translation>Das Entladen beendet die Antworten von {models}.</translation>
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
        <source>Unpin</source>
        <translation>Lösen</translation>
    </message>
    <message>
        <source>Unpin this message</source>
        <translation>Diese Nachricht lösen</translation>
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
        <source>Updated</source>
        <translation>Aktualisiert</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Benutzen</translation>
    </message>
    <message>
        <source>Use in chat</source>
        <translation>Im Chat benutzen</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>Verwenden</translation>
    </message>
    <message>
        <source>Use it in this chat</source>
        <translation>In diesem Chat verwenden</translation>
    </message>
    <message>
        <source>Use the last answer’s seed again</source>
        <translation>Startwert der letzten Antwort wieder benutzen</translation>
    </message>
    <message>
        <source>Use the system prompt of other chats</source>
        <translation>Systemanweisung der anderen Chats verwenden</translation>
    </message>
    <message>
        <source>Use them here</source>
        <translation>Hier benutzen</translation>
    </message>
    <message>
        <source>Use this answer’s seed again</source>
        <translation>Startwert dieser Antwort wiederverwenden</translation>
    </message>
    <message>
        <source>Use this model</source>
        <translation>Dieses Modell benutzen</translation>
    </message>
    <message>
        <source>Use this seed in this chat</source>
        <translation>Diesen Startwert in diesem Chat verwenden</translation>
    </message>
    <message>
        <source>Use {key}=value.</source>
        <translation>Schreib {key}=Wert.</translation>
    </message>
    <message>
        <source>Use {name}</source>
        <translation>{name} benutzen</translation>
    </message>
    <message>
        <source>Use {words}</source>
        <translation>{words} benutzen</translation>
    </message>
    <message>
        <source>Uses more memory on sliding-window models, so that editing an earlier message reuses more of the prompt cache.</source>
        <translation>Braucht bei Sliding-Window-Modellen mehr Speicher; dafür nutzt das Bearbeiten früherer Nachrichten mehr vom Prompt-Cache.</translation>
    </message>
    <message>
        <source>Usual text size</source>
        <translation>Übliche Textgröße</translation>
    </message>
    <message>
        <source>Usual value</source>
        <translation>Üblicher Wert</translation>
    </message>
    <message>
        <source>Usual value of {name}</source>
        <translation>Üblicher Wert von {name}</translation>
    </message>
    <message>
        <source>V cache quantization</source>
        <translation>V-Cache-Quantisierung</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
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
        <translation>Bestätigt</translation>
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
        <source>Version {version}</source>
        <translation>Version {version}</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>Wortschatz</translation>
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
        <source>Waiting for its turn</source>
        <translation>Wartet, bis es dran ist</translation>
    </message>
    <message numerus="yes">
        <source>Waiting for one other answer to finish…|Waiting for %n other answers to finish…</source>
        <translation>
            <numerusform>Wartet, bis eine andere Antwort fertig ist…</numerusform>
            <numerusform>Wartet, bis %n andere Antworten fertig sind…</numerusform>
        </translation>
    </message>
    <message>
        <source>Waiting for space on the disk</source>
        <translation>Wartet auf Platz auf dem Laufwerk</translation>
    </message>
    <message>
        <source>Waiting for the network</source>
        <translation>Wartet auf das Netz</translation>
    </message>
    <message>
        <source>Waiting for {model} to finish…</source>
        <translation>Wartet, bis {model} fertig ist…</translation>
    </message>
    <message>
        <source>Waiting for {model}, which does nothing just now while it loads…</source>
        <translation>Wartet auf {model}, das beim Laden gerade nichts tut …</translation>
    </message>
    <message>
        <source>Waiting threads let go at once</source>
        <translation>Wartende Rechenfäden lassen sofort los</translation>
    </message>
    <message numerus="yes">
        <source>Waiting threads look %n time|Waiting threads look %n times</source>
        <translation>
            <numerusform>Wartende Rechenfäden sehen %n-mal nach</numerusform>
            <numerusform>Wartende Rechenfäden sehen %n-mal nach</numerusform>
        </translation>
    </message>
    <message>
        <source>Waiting while another model loads…</source>
        <translation>Wartet, während ein anderes Modell geladen wird…</translation>
    </message>
    <message>
        <source>Waiting while {model} is measured…</source>
        <translation>Wartet, während {model} gemessen wird…</translation>
    </message>
    <message>
        <source>Waiting while {model} loads…</source>
        <translation>Wartet, während {model} geladen wird…</translation>
    </message>
    <message>
        <source>Waits to be sent: {text}</source>
        <translation>Wartet darauf, gesendet zu werden: {text}</translation>
    </message>
    <message>
        <source>Web page</source>
        <translation>Webseite</translation>
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
        <source>What can be changed</source>
        <translation>Was sich ändern lässt</translation>
    </message>
    <message>
        <source>What could not be imported</source>
        <translation>Was nicht importiert werden konnte</translation>
    </message>
    <message>
        <source>What else there might have been</source>
        <translation>Was dort sonst hätte stehen können</translation>
    </message>
    <message>
        <source>What fills the context</source>
        <translation>Was den Kontext füllt</translation>
    </message>
    <message>
        <source>What fits this computer could not be checked.</source>
        <translation>Was auf diesen Computer passt, konnte nicht geprüft werden.</translation>
    </message>
    <message>
        <source>What is new</source>
        <translation>Neuigkeiten</translation>
    </message>
    <message>
        <source>What its owner says about it</source>
        <translation>Was der Besitzer darüber sagt</translation>
    </message>
    <message>
        <source>What looked faster was not when it was measured again, so the settings stay as they are.</source>
        <translation>Was schneller aussah, war es beim zweiten Messen nicht, also bleiben die Einstellungen, wie sie sind.</translation>
    </message>
    <message>
        <source>What the model is told first</source>
        <translation>Was dem Modell zuerst gesagt wird</translation>
    </message>
    <message>
        <source>What the model saw</source>
        <translation>Was das Modell gesehen hat</translation>
    </message>
    <message>
        <source>What the model thought</source>
        <translation>Was das Modell gedacht hat</translation>
    </message>
    <message>
        <source>What the other application sets for it</source>
        <translation>Was das andere Programm dafür einstellt</translation>
    </message>
    <message>
        <source>What to do when a chat no longer fits in the context.</source>
        <translation>Was geschieht, wenn ein Chat nicht mehr in den Kontext passt.</translation>
    </message>
    <message>
        <source>What to do when a response fills the context.</source>
        <translation>Was geschieht, wenn eine Antwort den Kontext füllt.</translation>
    </message>
    <message>
        <source>What was found</source>
        <translation>Was gefunden wurde</translation>
    </message>
    <message>
        <source>What was measured</source>
        <translation>Was gemessen wurde</translation>
    </message>
    <message>
        <source>What you are writing</source>
        <translation>Was du gerade schreibst</translation>
    </message>
    <message>
        <source>What you asked for</source>
        <translation>Was du wolltest</translation>
    </message>
    <message>
        <source>When a chat no longer fits</source>
        <translation>Wenn ein Chat nicht mehr passt</translation>
    </message>
    <message>
        <source>When it was written</source>
        <translation>Wann es geschrieben wurde</translation>
    </message>
    <message>
        <source>When nothing more fits, its middle will be cut out.</source>
        <translation>Wenn nichts mehr passt, wird seine Mitte herausgeschnitten.</translation>
    </message>
    <message>
        <source>When nothing more fits, the oldest messages will be left out.</source>
        <translation>Wenn nichts mehr passt, werden die ältesten Nachrichten weggelassen.</translation>
    </message>
    <message>
        <source>When nothing more fits, the oldest messages will be summarised.</source>
        <translation>Wenn nichts mehr passt, werden die ältesten Nachrichten zusammengefasst.</translation>
    </message>
    <message>
        <source>When nothing more fits, you will be asked what to do.</source>
        <translation>Wenn nichts mehr passt, wirst du gefragt, was geschehen soll.</translation>
    </message>
    <message>
        <source>When the answer was last worked on, the model read {read} tokens, and not {expected}: something of it was different.</source>
        <translation>Als zuletzt an der Antwort gearbeitet wurde, las das Modell {read} Token und nicht {expected}: Etwas daran war anders.</translation>
    </message>
    <message>
        <source>When this chat no longer fits</source>
        <translation>Wenn dieser Chat nicht mehr passt</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>Ort</translation>
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
        <source>Where downloads go</source>
        <translation>Wohin Downloads kommen</translation>
    </message>
    <message>
        <source>Where it is</source>
        <translation>Wo sie liegt</translation>
    </message>
    <message>
        <source>Where models are stored and downloaded to.</source>
        <translation>Wo Modelle liegen und heruntergeladene gespeichert werden.</translation>
    </message>
    <message>
        <source>Where the file lives</source>
        <translation>Wo die Datei liegt</translation>
    </message>
    <message>
        <source>Where threads run on Linux machines with several CPU sockets.</source>
        <translation>Wo Threads auf Linux-Rechnern mit mehreren CPU-Sockeln laufen.</translation>
    </message>
    <message>
        <source>Whether reasoning models think before answering. More thinking takes longer.</source>
        <translation>Ob Reasoning-Modelle vor der Antwort nachdenken. Mehr Nachdenken dauert länger.</translation>
    </message>
    <message>
        <source>Whether the file is what was downloaded, byte for byte</source>
        <translation>Ob die Datei Byte für Byte das ist, was heruntergeladen wurde</translation>
    </message>
    <message>
        <source>Whether there is a graphics card that models can use could not be found out.</source>
        <translation>Ob es eine Grafikkarte gibt, die Modelle nutzen können, war nicht herauszufinden.</translation>
    </message>
    <message>
        <source>Which build of llama.cpp is in use could not be found out.</source>
        <translation>Welcher Build von llama.cpp in Gebrauch ist, war nicht herauszufinden.</translation>
    </message>
    <message>
        <source>Who wrote it</source>
        <translation>Wer es geschrieben hat</translation>
    </message>
    <message>
        <source>Whole context</source>
        <translation>Ganzer Kontext</translation>
    </message>
    <message>
        <source>Whole words only</source>
        <translation>Nur ganze Wörter</translation>
    </message>
    <message>
        <source>Wholly on the graphics card</source>
        <translation>Ganz auf der Grafikkarte</translation>
    </message>
    <message>
        <source>Wide</source>
        <translation>Breit</translation>
    </message>
    <message>
        <source>With a draft model</source>
        <translation>Mit einem Entwurfsmodell</translation>
    </message>
    <message>
        <source>With the archive</source>
        <translation>Mit dem Archiv</translation>
    </message>
    <message>
        <source>Without the archive</source>
        <translation>Ohne das Archiv</translation>
    </message>
    <message>
        <source>Word</source>
        <translation>Word</translation>
    </message>
    <message>
        <source>Words to look for, or the address or the whole name of a model. Arrow down goes to the results.</source>
        <translation>Suchwörter, oder die Adresse oder der ganze Name eines Modells. Pfeil nach unten geht zu den Ergebnissen.</translation>
    </message>
    <message>
        <source>Working it out…</source>
        <translation>Wird berechnet…</translation>
    </message>
    <message>
        <source>Working…</source>
        <translation>In Arbeit…</translation>
    </message>
    <message>
        <source>Works through mathematics and logic step by step, and shows its steps.</source>
        <translation>Arbeitet Mathematik und Logik Schritt für Schritt durch und zeigt seine Schritte.</translation>
    </message>
    <message>
        <source>Wrap long lines</source>
        <translation>Lange Zeilen umbrechen</translation>
    </message>
    <message>
        <source>Wrap long lines, {name}</source>
        <translation>Lange Zeilen umbrechen, {name}</translation>
    </message>
    <message>
        <source>Write a message</source>
        <translation>Nachricht schreiben</translation>
    </message>
    <message>
        <source>Write a message first</source>
        <translation>Schreib zuerst eine Nachricht</translation>
    </message>
    <message>
        <source>Write a rule, or begin with an example.</source>
        <translation>Schreib eine Regel oder fang mit einem Beispiel an.</translation>
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
        <source>Write again</source>
        <translation>Neu schreiben</translation>
    </message>
    <message>
        <source>Write to this address?</source>
        <translation>An diese Adresse schreiben?</translation>
    </message>
    <message>
        <source>Write with me</source>
        <translation>Mit mir schreiben</translation>
    </message>
    <message>
        <source>Write {{name}} for what changes each time. {{date}}, {{time}}, {{language}} and {{model}} are filled in by themselves.</source>
        <translation>Schreib {{name}} für das, was jedes Mal anders ist. {{date}}, {{time}}, {{language}} und {{model}} werden von selbst ausgefüllt.</translation>
    </message>
    <message>
        <source>Writes, completes and explains code in many programming languages.</source>
        <translation>Schreibt, ergänzt und erklärt Code in vielen Programmiersprachen.</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>Schreiben</translation>
    </message>
    <message>
        <source>Writing the summary again…</source>
        <translation>Die Zusammenfassung wird neu geschrieben…</translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation>Schreibt…</translation>
    </message>
    <message numerus="yes">
        <source>Writing… %n token|Writing… %n tokens</source>
        <translation>
            <numerusform>Schreibt… %n Token</numerusform>
            <numerusform>Schreibt… %n Token</numerusform>
        </translation>
    </message>
    <message>
        <source>Wrote no answer</source>
        <translation>Hat keine Antwort geschrieben</translation>
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
        <source>You said: {words}</source>
        <translation>Du: {words}</translation>
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
        <source>Your access token is sent to {host} instead of huggingface.co. Use only an address you trust.</source>
        <translation>Dein Zugriffstoken wird an {host} statt an huggingface.co gesendet. Verwende nur eine Adresse, der du vertraust.</translation>
    </message>
    <message>
        <source>Your browser will open a page at:</source>
        <translation>Dein Browser öffnet eine Seite bei:</translation>
    </message>
    <message>
        <source>Your chats appear here.</source>
        <translation>Deine Chats erscheinen hier.</translation>
    </message>
    <message>
        <source>Your chats stay, and what was read of them comes back at once.</source>
        <translation>Deine Chats bleiben, und was davon gelesen wurde, ist sofort wieder da.</translation>
    </message>
    <message>
        <source>Your chats stay; each is read anew when you go on with it.</source>
        <translation>Deine Chats bleiben; jeder wird neu gelesen, wenn du ihn fortsetzt.</translation>
    </message>
    <message>
        <source>Your text, clearer and in the tone you want</source>
        <translation>Dein Text, klarer und im gewünschten Ton</translation>
    </message>
    <message>
        <source>[A file of LM Studio: {name}]</source>
        <translation>[Eine Datei aus LM Studio: {name}]</translation>
    </message>
    <message>
        <source>[A file that is not in the export: {name}]</source>
        <translation>[Eine Datei, die nicht im Export ist: {name}]</translation>
    </message>
    <message>
        <source>[A picture that is not in the export]</source>
        <translation>[Ein Bild, das nicht im Export ist]</translation>
    </message>
    <message>
        <source>[A picture that is not in the thread]</source>
        <translation>[Ein Bild, das nicht im Verlauf ist]</translation>
    </message>
    <message numerus="yes">
        <source>[a picture: %n token]|[a picture: %n tokens]</source>
        <translation>
            <numerusform>[ein Bild: %n Token]</numerusform>
            <numerusform>[ein Bild: %n Token]</numerusform>
        </translation>
    </message>
    <message>
        <source>[image blocked: {name}]</source>
        <translation>[Bild blockiert: {name}]</translation>
    </message>
    <message>
        <source>[image blocked]</source>
        <translation>[Bild blockiert]</translation>
    </message>
    <message>
        <source>a PDF is written by the window alone.</source>
        <translation>Ein PDF schreibt nur das Fenster.</translation>
    </message>
    <message>
        <source>a calculation was not possible (SIGFPE), which is a fault in llama.cpp or a broken model file.</source>
        <translation>Eine Rechnung war nicht möglich (SIGFPE), ein Fehler in llama.cpp oder eine kaputte Modelldatei.</translation>
    </message>
    <message>
        <source>a calculation was not possible, which is a fault in llama.cpp or a broken model file.</source>
        <translation>Eine Rechnung war nicht möglich, ein Fehler in llama.cpp oder eine kaputte Modelldatei.</translation>
    </message>
    <message>
        <source>a call is required and there are no tools.</source>
        <translation>Ein Aufruf ist verlangt, und es gibt keine Werkzeuge.</translation>
    </message>
    <message>
        <source>a count for no request ({id}).</source>
        <translation>eine Zählung zu keiner Anfrage ({id}).</translation>
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
        <source>a library that it needs could not be started.</source>
        <translation>Eine benötigte Bibliothek ließ sich nicht starten.</translation>
    </message>
    <message>
        <source>a library that it needs is missing.</source>
        <translation>Eine benötigte Bibliothek fehlt.</translation>
    </message>
    <message>
        <source>a library that it needs is of the wrong version.</source>
        <translation>Eine benötigte Bibliothek hat die falsche Version.</translation>
    </message>
    <message>
        <source>a list is said to have {count} entries; the file is damaged.</source>
        <translation>Eine Liste hat angeblich {count} Einträge; die Datei ist beschädigt.</translation>
    </message>
    <message>
        <source>a loaded model that can take no request.</source>
        <translation>ein geladenes Modell, das keine Anfrage annehmen kann.</translation>
    </message>
    <message>
        <source>a message takes {most} files at most.</source>
        <translation>Eine Nachricht nimmt höchstens {most} Dateien.</translation>
    </message>
    <message>
        <source>a model can have at most {most}.</source>
        <translation>Ein Modell kann höchstens {most} haben.</translation>
    </message>
    <message>
        <source>a model is being checked. Wait until that is done.</source>
        <translation>Ein Modell wird gerade geprüft. Warte, bis das fertig ist.</translation>
    </message>
    <message>
        <source>a model there is called like “owner/model”.</source>
        <translation>Ein Modell heißt dort wie „Besitzer/Modell“.</translation>
    </message>
    <message>
        <source>a newer Fireside wrote it</source>
        <translation>ein neueres Fireside hat sie geschrieben</translation>
    </message>
    <message>
        <source>a newer Fireside wrote it. Update the program to import it.</source>
        <translation>Ein neueres Fireside hat sie geschrieben. Aktualisiere das Programm, um sie zu importieren.</translation>
    </message>
    <message>
        <source>a newer version is there</source>
        <translation>es gibt eine neuere Version</translation>
    </message>
    <message>
        <source>a number with very many digits</source>
        <translation>eine Zahl mit sehr vielen Stellen</translation>
    </message>
    <message>
        <source>a picture cannot be written.</source>
        <translation>Ein Bild lässt sich nicht schreiben.</translation>
    </message>
    <message>
        <source>a picture of an unknown kind</source>
        <translation>ein Bild unbekannter Art</translation>
    </message>
    <message>
        <source>a prompt for no request ({id}).</source>
        <translation>eine Eingabe zu keiner Anfrage ({id}).</translation>
    </message>
    <message>
        <source>a prompt without end.</source>
        <translation>eine Eingabe ohne Ende.</translation>
    </message>
    <message>
        <source>a property has no name; the file is damaged.</source>
        <translation>Eine Eigenschaft hat keinen Namen; die Datei ist beschädigt.</translation>
    </message>
    <message>
        <source>a quarter of the layers on the GPU</source>
        <translation>ein Viertel der Schichten auf der GPU</translation>
    </message>
    <message>
        <source>a question for a picture that was not shown to it.</source>
        <translation>eine Frage nach einem Bild, das ihm nicht gezeigt wurde.</translation>
    </message>
    <message>
        <source>a second greeting.</source>
        <translation>eine zweite Begrüßung.</translation>
    </message>
    <message>
        <source>a text contains a NUL character.</source>
        <translation>Ein Text enthält ein NUL-Zeichen.</translation>
    </message>
    <message>
        <source>a text contains half a character.</source>
        <translation>Ein Text enthält ein halbes Zeichen.</translation>
    </message>
    <message>
        <source>a text in it is too long.</source>
        <translation>ein Text darin ist zu lang.</translation>
    </message>
    <message>
        <source>a third of the layers on the GPU</source>
        <translation>ein Drittel der Schichten auf der GPU</translation>
    </message>
    <message>
        <source>a token</source>
        <translation>ein Token</translation>
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
            <numerusform>etwa %n Token</numerusform>
        </translation>
    </message>
    <message>
        <source>about a page</source>
        <translation>etwa eine Seite</translation>
    </message>
    <message>
        <source>about {count} tokens</source>
        <translation>etwa {count} Token</translation>
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
        <source>after the colon stands a quantization such as “Q4_K_M”.</source>
        <translation>Nach dem Doppelpunkt steht eine Quantisierung wie „Q4_K_M“.</translation>
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
        <source>an answer that does not pause when it is told to.</source>
        <translation>eine Antwort, die trotz Aufforderung nicht pausiert.</translation>
    </message>
    <message>
        <source>an answer to no question.</source>
        <translation>eine Antwort auf keine Frage.</translation>
    </message>
    <message>
        <source>an answer without end.</source>
        <translation>eine Antwort ohne Ende.</translation>
    </message>
    <message>
        <source>an entry of a list is said to be {length} bytes long; it is damaged.</source>
        <translation>Ein Eintrag einer Liste ist angeblich {length} Byte lang; er ist beschädigt.</translation>
    </message>
    <message>
        <source>an error inside Fireside ({kind}).</source>
        <translation>ein Fehler in Fireside selbst ({kind}).</translation>
    </message>
    <message numerus="yes">
        <source>and %n message more|and %n messages more</source>
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
    <message>
        <source>another branch begins here</source>
        <translation>hier beginnt ein anderer Zweig</translation>
    </message>
    <message>
        <source>another file of this model would get the same name.</source>
        <translation>Eine andere Datei dieses Modells bekäme denselben Namen.</translation>
    </message>
    <message>
        <source>any number</source>
        <translation>jede Zahl</translation>
    </message>
    <message>
        <source>archived</source>
        <translation>archiviert</translation>
    </message>
    <message>
        <source>asks for consent</source>
        <translation>braucht Zustimmung</translation>
    </message>
    <message>
        <source>auto backup; daily backup; save chats</source>
        <translation>automatische Sicherung; tägliche Sicherung; Chats sichern</translation>
    </message>
    <message>
        <source>autoload; load model on startup; preload; auto load last model</source>
        <translation>Modell beim Start laden; automatisch laden; vorladen</translation>
    </message>
    <message>
        <source>backup location; backup directory; backup path</source>
        <translation>Sicherungsordner; Ort der Sicherungen</translation>
    </message>
    <message>
        <source>backups copy save restore bring back safety</source>
        <translation>sicherung sicherungen kopie sichern speichern wiederherstellen zurückholen backup</translation>
    </message>
    <message>
        <source>bandwidth; throttle; download limit; rate limit</source>
        <translation>Bandbreite; Drosselung; Tempolimit; Downloads begrenzen</translation>
    </message>
    <message>
        <source>batch size; n_batch; num_batch; evaluation batch size</source>
        <translation>Batch-Größe; Stapelgröße</translation>
    </message>
    <message>
        <source>being written</source>
        <translation>wird geschrieben</translation>
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
        <source>cannot be used: {problem}</source>
        <translation>unbrauchbar: {problem}</translation>
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
        <source>closed</source>
        <comment>as a folder is</comment>
        <translation>zugeklappt</translation>
    </message>
    <message>
        <source>compact mode; spacing; row height</source>
        <translation>kompakt; Abstände; Zeilenhöhe</translation>
    </message>
    <message>
        <source>compare texts</source>
        <translation>Texte vergleichen</translation>
    </message>
    <message>
        <source>comparing texts</source>
        <translation>das Vergleichen von Texten</translation>
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
        <source>connection test hub reach network address proxy certificates</source>
        <translation>verbindung testen hub hugging face erreichbar netzwerk adresse proxy zertifikate</translation>
    </message>
    <message>
        <source>context length; context window; n_ctx; num_ctx; ctx-size; max context</source>
        <translation>Kontextlänge; Kontextgröße; Kontextfenster; maximaler Kontext</translation>
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
        <source>cpu affinity; cpu_mask; cpu_range; pin threads; core pinning</source>
        <translation>CPU-Bindung; Prozessorbindung; Kerne festlegen</translation>
    </message>
    <message>
        <source>cpu threads; n_threads; num_thread; thread count; cpu cores</source>
        <translation>CPU-Threads; Prozessorkerne; CPU-Kerne; Anzahl der Threads</translation>
    </message>
    <message>
        <source>ctx_size_draft; draft context; draft context size</source>
        <translation>Kontext des Entwurfsmodells; Entwurfskontext</translation>
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
        <source>decided by Fireside</source>
        <translation>von Fireside entschieden</translation>
    </message>
    <message>
        <source>disable gpu; exclude gpu; CUDA_VISIBLE_DEVICES; devices</source>
        <translation>GPU abschalten; GPU ausschließen; Geräte</translation>
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
        <source>embedding</source>
        <translation>Einbettung</translation>
    </message>
    <message>
        <source>error “{code}” with wrong fields ({why}).</source>
        <translation>Fehler „{code}“ mit falschen Feldern ({why}).</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>first after {seconds} s</source>
        <translation>erstes nach {seconds} s</translation>
    </message>
    <message numerus="yes">
        <source>first message summarised|first %n messages summarised</source>
        <translation>
            <numerusform>erste Nachricht zusammengefasst</numerusform>
            <numerusform>erste %n Nachrichten zusammengefasst</numerusform>
        </translation>
    </message>
    <message>
        <source>first token {seconds} s</source>
        <translation>erstes nach {seconds} s</translation>
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
        <source>gpu offload; gpu layers; n_gpu_layers; num_gpu; ngl; vram; cuda; metal; vulkan</source>
        <translation>GPU-Auslagerung; GPU-Schichten; Grafikkarte; Grafikspeicher; auf GPU auslagern</translation>
    </message>
    <message>
        <source>half of the layers on the GPU</source>
        <translation>die Hälfte der Schichten auf der GPU</translation>
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
        <source>image_max_tokens; vision tokens; image tokens; image resolution</source>
        <translation>Bild-Token; Bildauflösung; größte Bildgröße</translation>
    </message>
    <message>
        <source>image_min_tokens; vision tokens; image tokens; image resolution</source>
        <translation>Bild-Token; Bildauflösung; kleinste Bildgröße</translation>
    </message>
    <message>
        <source>in the branch that is shown</source>
        <translation>im gezeigten Zweig</translation>
    </message>
    <message>
        <source>in your library</source>
        <translation>in deiner Bibliothek</translation>
    </message>
    <message>
        <source>in: {place}</source>
        <translation>in: {place}</translation>
    </message>
    <message>
        <source>it begins or ends texts with other tokens</source>
        <translation>es beginnt oder beendet Texte mit anderen Token</translation>
    </message>
    <message>
        <source>it begins with zeros only. The download is probably incomplete.</source>
        <translation>Sie beginnt nur mit Nullen. Der Download ist wohl unvollständig.</translation>
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
        <source>it cannot be understood.</source>
        <translation>Unverständlich.</translation>
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
        <source>it contains half a character.</source>
        <translation>Darin steht ein halbes Zeichen.</translation>
    </message>
    <message>
        <source>it contains half of a character (a lone surrogate).</source>
        <translation>Darin steht ein halbes Zeichen (ein einzelnes Surrogat).</translation>
    </message>
    <message>
        <source>it could not be brought up to date</source>
        <translation>ließ sich nicht auf den neuesten Stand bringen</translation>
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
        <source>it could not be run.</source>
        <translation>Nicht ausführbar.</translation>
    </message>
    <message>
        <source>it cuts text into words in another way</source>
        <translation>es zerlegt Text anders in Wörter</translation>
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
        <source>it does not answer.</source>
        <translation>Keine Antwort.</translation>
    </message>
    <message>
        <source>it does not belong to Fireside</source>
        <translation>sie gehört nicht zu Fireside</translation>
    </message>
    <message>
        <source>it does not say what the file must be.</source>
        <translation>Wie die Datei sein muss, steht nicht dabei.</translation>
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
        <source>it does not write text word by word</source>
        <translation>es schreibt Text nicht Wort für Wort</translation>
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
        <source>it ended with exit code {code}.</source>
        <translation>Er endete mit Exit-Code {code}.</translation>
    </message>
    <message>
        <source>it ended with exit code {code}. Its last message: “{line}”.</source>
        <translation>Er endete mit Exit-Code {code}. Seine letzte Meldung: „{line}“.</translation>
    </message>
    <message>
        <source>it ended without being asked to.</source>
        <translation>Er endete, ohne dass es jemand wollte.</translation>
    </message>
    <message>
        <source>it ends in the middle of its header; the download is probably incomplete.</source>
        <translation>Sie endet mitten im Kopf; der Download ist wohl unvollständig.</translation>
    </message>
    <message>
        <source>it ends with a call of a tool, which is complete.</source>
        <translation>Sie endet mit einem Werkzeugaufruf, der abgeschlossen ist.</translation>
    </message>
    <message>
        <source>it goes on in another place.</source>
        <translation>Es geht an einem anderen Ort weiter.</translation>
    </message>
    <message>
        <source>it has changed meanwhile.</source>
        <translation>Sie hat sich inzwischen geändert.</translation>
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
        <source>it has more than {n} million pixels.</source>
        <translation>es hat mehr als {n} Millionen Pixel.</translation>
    </message>
    <message>
        <source>it has no heads of its own to guess ahead with. Guessing from the context needs none.</source>
        <translation>Es hat keine eigenen Köpfe zum Vorausraten. Raten aus dem Kontext braucht keine.</translation>
    </message>
    <message>
        <source>it has no name of its own (“conversation_id”).</source>
        <translation>Der eigene Name fehlt („conversation_id“).</translation>
    </message>
    <message>
        <source>it has no name of its own (“id”).</source>
        <translation>Der eigene Name fehlt („id“).</translation>
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
        <source>it has no usable name of its own (“origin”).</source>
        <translation>Ein brauchbarer eigener Name fehlt („origin“).</translation>
    </message>
    <message>
        <source>it has not listed the devices in time.</source>
        <translation>Die Geräte wurden nicht rechtzeitig aufgezählt.</translation>
    </message>
    <message>
        <source>it has nothing to compute with, not even a processor.</source>
        <translation>Nichts darin kann rechnen, nicht einmal ein Prozessor.</translation>
    </message>
    <message>
        <source>it holds a NUL character, which is not text. Was a binary file pasted?</source>
        <translation>Er enthält ein NUL-Zeichen, das kein Text ist. Hast du eine Binärdatei eingefügt?</translation>
    </message>
    <message>
        <source>it holds a vocabulary only, and no model.</source>
        <translation>Nur ein Vokabular ist darin, kein Modell.</translation>
    </message>
    <message>
        <source>it holds characters that cannot be shown.</source>
        <translation>Darin sind Zeichen, die sich nicht zeigen lassen.</translation>
    </message>
    <message>
        <source>it holds definitions that no Word document has.</source>
        <translation>Darin sind Definitionen, die kein Word-Dokument hat.</translation>
    </message>
    <message>
        <source>it holds far more than a runtime does.</source>
        <translation>Darin ist weit mehr, als eine Laufzeit hat.</translation>
    </message>
    <message>
        <source>it holds half a character.</source>
        <translation>Darin steht ein halbes Zeichen.</translation>
    </message>
    <message>
        <source>it holds half of a character (a lone surrogate).</source>
        <translation>Darin steht ein halbes Zeichen (ein einzelnes Surrogat).</translation>
    </message>
    <message>
        <source>it holds half of a character (a lone surrogate). Delete it or paste the text again.</source>
        <translation>Er enthält ein halbes Zeichen (ein einzelnes Surrogat). Lösch es oder füg den Text noch einmal ein.</translation>
    </message>
    <message>
        <source>it holds more than {most} presets, or is of no known version.</source>
        <translation>Sie enthält mehr als {most} Voreinstellungen oder ist von keiner bekannten Version.</translation>
    </message>
    <message>
        <source>it holds more than {most}.</source>
        <translation>Darin ist mehr als {most}.</translation>
    </message>
    <message>
        <source>it holds no conversations in a form that Fireside knows.</source>
        <translation>Darin sind keine Chats in einer Form, die Fireside kennt.</translation>
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
        <source>it is a JSON text. The download probably ended on an error message.</source>
        <translation>Das ist ein JSON-Text. Der Download endete wohl auf einer Fehlermeldung.</translation>
    </message>
    <message>
        <source>it is a PyTorch file. Fireside needs the model as GGUF.</source>
        <translation>Das ist eine PyTorch-Datei. Fireside braucht das Modell als GGUF.</translation>
    </message>
    <message>
        <source>it is a compressed archive. Unpack it first, or download the model as GGUF.</source>
        <translation>Das ist ein komprimiertes Archiv. Entpacke es zuerst, oder lade das Modell als GGUF herunter.</translation>
    </message>
    <message>
        <source>it is a damaged picture.</source>
        <translation>Das ist ein beschädigtes Bild.</translation>
    </message>
    <message>
        <source>it is a folder.</source>
        <translation>Das ist ein Ordner.</translation>
    </message>
    <message>
        <source>it is a model that makes pictures or films. It cannot chat.</source>
        <translation>Das ist ein Modell, das Bilder oder Filme macht. Es kann nicht chatten.</translation>
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
        <source>it is a safetensors file. Fireside needs the model as GGUF.</source>
        <translation>Das ist eine Safetensors-Datei. Fireside braucht das Modell als GGUF.</translation>
    </message>
    <message>
        <source>it is a web page. If your network asks you to sign in, do that in your browser.</source>
        <translation>Das ist eine Webseite. Wenn dein Netz eine Anmeldung verlangt, melde dich im Browser an.</translation>
    </message>
    <message>
        <source>it is a web page. The download probably ended on a sign-in or error page.</source>
        <translation>Das ist eine Webseite. Der Download endete wohl auf einer Anmelde- oder Fehlerseite.</translation>
    </message>
    <message>
        <source>it is an adapter (LoRA) for another model. It cannot chat by itself.</source>
        <translation>Das ist ein Adapter (LoRA) für ein anderes Modell. Allein kann er nicht chatten.</translation>
    </message>
    <message>
        <source>it is an archive with too many files in it.</source>
        <translation>Das ist ein Archiv mit zu vielen Dateien darin.</translation>
    </message>
    <message>
        <source>it is an archive. Unpack it and attach the files in it.</source>
        <translation>Das ist ein Archiv. Entpacke es und häng die Dateien daraus an.</translation>
    </message>
    <message>
        <source>it is an importance matrix, used to make model files. It cannot chat.</source>
        <translation>Das ist eine Wichtigkeitsmatrix, mit der Modelldateien gemacht werden. Sie kann nicht chatten.</translation>
    </message>
    <message>
        <source>it is another part of the file.</source>
        <translation>Das ist ein anderer Teil der Datei.</translation>
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
        <source>it is damaged, and only files in the library’s own folder are mended.</source>
        <translation>Sie ist beschädigt, und nur Dateien im eigenen Ordner der Bibliothek werden repariert.</translation>
    </message>
    <message>
        <source>it is damaged, or too complex to be read.</source>
        <translation>Beschädigt oder zu verschachtelt, um gelesen zu werden.</translation>
    </message>
    <message>
        <source>it is damaged.</source>
        <translation>Beschädigt.</translation>
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
        <source>it is in GGUF version {version}; this Fireside reads up to 3.</source>
        <translation>Sie ist in GGUF-Version {version}; dieses Fireside liest bis 3.</translation>
    </message>
    <message>
        <source>it is in an old format of Office. Save it as DOCX or PDF and attach that.</source>
        <translation>Das ist ein altes Office-Format. Speichere es als DOCX oder PDF und häng das an.</translation>
    </message>
    <message>
        <source>it is in the first GGUF version, which is no longer read. Download it anew.</source>
        <translation>Sie ist in der ersten GGUF-Version, die nicht mehr gelesen wird. Lade sie neu herunter.</translation>
    </message>
    <message>
        <source>it is in the old GGML format from before GGUF. Download the model as GGUF.</source>
        <translation>Sie ist im alten GGML-Format aus der Zeit vor GGUF. Lade das Modell als GGUF herunter.</translation>
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
        <source>it is llama.cpp {version}, and this Fireside needs {needed}.</source>
        <translation>Sie ist llama.cpp {version}, und dieses Fireside braucht {needed}.</translation>
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
        <source>it is neither text nor a kind of document that can be read.</source>
        <translation>Das ist weder Text noch eine lesbare Art von Dokument.</translation>
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
        <source>it is no file of conversations.</source>
        <translation>Das ist keine Datei mit Chats.</translation>
    </message>
    <message>
        <source>it is no file of presets.</source>
        <translation>Das ist keine Datei mit Voreinstellungen.</translation>
    </message>
    <message>
        <source>it is no longer there</source>
        <translation>nicht mehr da</translation>
    </message>
    <message>
        <source>it is no model file.</source>
        <translation>Das ist keine Modelldatei.</translation>
    </message>
    <message>
        <source>it is not a GGUF file (its first bytes are {shown}).</source>
        <translation>Das ist keine GGUF-Datei (ihre ersten Bytes sind {shown}).</translation>
    </message>
    <message>
        <source>it is not a PNG, JPEG, WebP, GIF or BMP picture, or it is damaged.</source>
        <translation>Das ist kein Bild in PNG, JPEG, WebP, GIF oder BMP, oder es ist beschädigt.</translation>
    </message>
    <message>
        <source>it is not a database</source>
        <translation>das ist keine Datenbank</translation>
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
        <source>it is not made for images</source>
        <translation>er ist nicht für Bilder gemacht</translation>
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
        <source>it is not valid JSON ({why}).</source>
        <translation>das ist kein gültiges JSON ({why}).</translation>
    </message>
    <message>
        <source>it is of another version (protocol {theirs}, not {ours}).</source>
        <translation>Er ist von einer anderen Version (Protokoll {theirs}, nicht {ours}).</translation>
    </message>
    <message>
        <source>it is only a pointer to the model (Git LFS). Download the file itself.</source>
        <translation>Das ist nur ein Verweis auf das Modell (Git LFS). Lade die Datei selbst herunter.</translation>
    </message>
    <message>
        <source>it is packed ({packed}), which was not asked for.</source>
        <translation>Gepackt ({packed}), worum niemand gebeten hat.</translation>
    </message>
    <message>
        <source>it is protected by a password.</source>
        <translation>Durch ein Passwort geschützt.</translation>
    </message>
    <message>
        <source>it is said to have {count} properties; the file is damaged.</source>
        <translation>Angeblich sind {count} Eigenschaften darin; die Datei ist beschädigt.</translation>
    </message>
    <message>
        <source>it is said to have {count} tensors; the file is damaged.</source>
        <translation>Angeblich sind {count} Tensoren darin; die Datei ist beschädigt.</translation>
    </message>
    <message>
        <source>it is the projector of a model that sees or hears. It cannot chat by itself.</source>
        <translation>Das ist der Projektor eines Modells, das sieht oder hört. Allein kann er nicht chatten.</translation>
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
        <source>it knows no search. Is the address in the settings that of a hub?</source>
        <translation>Dort lässt sich nicht suchen. Ist die Adresse in den Einstellungen die eines Hubs?</translation>
    </message>
    <message>
        <source>it knows {n_small} tokens and the model {n_large}</source>
        <translation>es kennt {n_small} Token und das Modell {n_large}</translation>
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
        <source>it leads from one place to the next without end.</source>
        <translation>Es führt endlos von einem Ort zum nächsten.</translation>
    </message>
    <message>
        <source>it leads to an address without encryption.</source>
        <translation>Es führt zu einer Adresse ohne Verschlüsselung.</translation>
    </message>
    <message>
        <source>it leaves a picture out</source>
        <translation>sie lässt ein Bild weg</translation>
    </message>
    <message>
        <source>it leaves the system prompt out</source>
        <translation>sie lässt die Systemanweisung weg</translation>
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
        <source>it names an address that cannot be.</source>
        <translation>Die genannte Adresse kann es nicht geben.</translation>
    </message>
    <message>
        <source>it names no commit.</source>
        <translation>Kein Commit ist genannt.</translation>
    </message>
    <message>
        <source>it needs a name.</source>
        <translation>Der Name fehlt.</translation>
    </message>
    <message>
        <source>it needs {total} of disk space, and {free} are free.</source>
        <translation>{total} Platz werden gebraucht, und {free} sind frei.</translation>
    </message>
    <message>
        <source>it pads a text without end</source>
        <translation>sie füllt einen Text ohne Ende auf</translation>
    </message>
    <message>
        <source>it read memory that is not its own (SIGSEGV), which is a fault in llama.cpp or a broken model file.</source>
        <translation>Er las fremden Speicher (SIGSEGV), ein Fehler in llama.cpp oder eine kaputte Modelldatei.</translation>
    </message>
    <message>
        <source>it read memory that is not its own (access violation), which is a fault in llama.cpp or a broken model file.</source>
        <translation>Er las fremden Speicher (Zugriffsverletzung), ein Fehler in llama.cpp oder eine kaputte Modelldatei.</translation>
    </message>
    <message>
        <source>it refused ({status}).</source>
        <translation>Abgelehnt ({status}).</translation>
    </message>
    <message>
        <source>it said nothing for {limit_s} seconds.</source>
        <translation>{limit_s} Sekunden lang kam nichts.</translation>
    </message>
    <message>
        <source>it says GGUF version 0, which does not exist; the file is damaged.</source>
        <translation>Sie nennt GGUF-Version 0, die es nicht gibt; die Datei ist beschädigt.</translation>
    </message>
    <message>
        <source>it says that it is of a version that there never was.</source>
        <translation>Sie nennt eine Version, die es nie gab.</translation>
    </message>
    <message>
        <source>it speaks of a file that is not in it.</source>
        <translation>Sie nennt eine Datei, die nicht darin ist.</translation>
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
        <source>it used up its stack, which is a fault in llama.cpp or a broken model file.</source>
        <translation>Er hat seinen Stapelspeicher verbraucht, ein Fehler in llama.cpp oder eine kaputte Modelldatei.</translation>
    </message>
    <message>
        <source>it used up the processor time that it is allowed (SIGXCPU).</source>
        <translation>Er hat die erlaubte Prozessorzeit verbraucht (SIGXCPU).</translation>
    </message>
    <message>
        <source>it uses the number format {kind}, which llama.cpp no longer reads. Download the model in another one, for example Q4_0.</source>
        <translation>Sie benutzt das Zahlenformat {kind}, das llama.cpp nicht mehr liest. Lade das Modell in einem anderen herunter, etwa Q4_0.</translation>
    </message>
    <message>
        <source>it was asked to stop.</source>
        <translation>Er wurde gebeten aufzuhören.</translation>
    </message>
    <message>
        <source>it was built for another processor than this one (SIGILL).</source>
        <translation>Er wurde für einen anderen Prozessor gebaut (SIGILL).</translation>
    </message>
    <message>
        <source>it was built for another processor than this one (illegal instruction).</source>
        <translation>Er wurde für einen anderen Prozessor gebaut (ungültiger Befehl).</translation>
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
        <source>it was made for big-endian machines, which Fireside cannot read.</source>
        <translation>Sie wurde für Big-Endian-Rechner gemacht, was Fireside nicht lesen kann.</translation>
    </message>
    <message>
        <source>it was made for llama-cpp-python {version}, and this is {other}.</source>
        <translation>Sie wurde für llama-cpp-python {version} gemacht, und hier ist {other}.</translation>
    </message>
    <message>
        <source>it was not allowed to make a system call (SIGSYS).</source>
        <translation>Er durfte das System nicht aufrufen (SIGSYS).</translation>
    </message>
    <message>
        <source>it was stopped.</source>
        <translation>Sie wurde angehalten.</translation>
    </message>
    <message>
        <source>it was to list the devices, and {what} A graphics driver may hang.</source>
        <translation>Er sollte die Geräte aufzählen. {what} Vielleicht hängt ein Grafiktreiber.</translation>
    </message>
    <message>
        <source>it words nothing.</source>
        <translation>Sie formuliert nichts.</translation>
    </message>
    <message>
        <source>it would have more than {most} pages.</source>
        <translation>Es hätte mehr als {most} Seiten.</translation>
    </message>
    <message>
        <source>its address cannot be used.</source>
        <translation>Die Adresse lässt sich nicht benutzen.</translation>
    </message>
    <message>
        <source>its alignment is not a number; the file is damaged.</source>
        <translation>Ihre Ausrichtung ist keine Zahl; die Datei ist beschädigt.</translation>
    </message>
    <message>
        <source>its alignment is {value}, not a power of two up to 65,536; the file is damaged.</source>
        <translation>Ihre Ausrichtung ist {value}, keine Zweierpotenz bis 65.536; die Datei ist beschädigt.</translation>
    </message>
    <message>
        <source>its answer takes too long.</source>
        <translation>Die Antwort dauert zu lange.</translation>
    </message>
    <message>
        <source>its certificate is not trusted. A network that asks you to sign in does that, or a proxy whose certificate belongs into the settings.</source>
        <translation>Dem Zertifikat wird nicht vertraut. So ist es in einem Netz, das eine Anmeldung verlangt, oder bei einem Proxy, dessen Zertifikat in die Einstellungen gehört.</translation>
    </message>
    <message>
        <source>its contents do not fit together</source>
        <translation>der Inhalt passt nicht zusammen</translation>
    </message>
    <message>
        <source>its context is {times} times as long as it was trained for, and it may answer worse</source>
        <translation>sein Kontext ist {times}-mal so lang wie trainiert, und es kann schlechter antworten</translation>
    </message>
    <message>
        <source>its description has more than {limit} characters.</source>
        <translation>Die Beschreibung hat mehr als {limit} Zeichen.</translation>
    </message>
    <message>
        <source>its format is unsafe</source>
        <translation>ihr Format ist unsicher</translation>
    </message>
    <message>
        <source>its header is larger than that of any model; the file is damaged.</source>
        <translation>Ihr Kopf ist größer als der jedes Modells; die Datei ist beschädigt.</translation>
    </message>
    <message>
        <source>its libraries cannot be loaded ({why}).</source>
        <translation>ihre Bibliotheken lassen sich nicht laden ({why}).</translation>
    </message>
    <message>
        <source>its memory was damaged, which is a fault in llama.cpp or a broken model file.</source>
        <translation>Sein Speicher wurde beschädigt, ein Fehler in llama.cpp oder eine kaputte Modelldatei.</translation>
    </message>
    <message>
        <source>its name has more than {limit} characters.</source>
        <translation>Der Name hat mehr als {limit} Zeichen.</translation>
    </message>
    <message>
        <source>its name is not found. Is this computer online?</source>
        <translation>Der Name ist nicht zu finden. Ist dieser Computer online?</translation>
    </message>
    <message>
        <source>its name leads out of the library.</source>
        <translation>Der Name führt aus der Bibliothek hinaus.</translation>
    </message>
    <message>
        <source>its own heads for guessing ahead cannot be used yet. Guessing from the context needs none.</source>
        <translation>Seine eigenen Köpfe zum Vorausraten lassen sich noch nicht benutzen. Raten aus dem Kontext braucht keine.</translation>
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
        <source>its probabilities are being computed already.</source>
        <translation>Ihre Wahrscheinlichkeiten werden schon berechnet.</translation>
    </message>
    <message>
        <source>its projector “{file}” does not go with it ({why}).</source>
        <translation>der Projektor „{file}“ passt nicht dazu ({why}).</translation>
    </message>
    <message>
        <source>its property “{key}” is {value}, which no model can have.</source>
        <translation>Die Eigenschaft „{key}“ ist {value}, was kein Modell haben kann.</translation>
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
        <source>its value has more than {limit} characters.</source>
        <translation>Ein Wert hat mehr als {limit} Zeichen.</translation>
    </message>
    <message>
        <source>its version is not a number</source>
        <translation>die Version ist keine Zahl</translation>
    </message>
    <message>
        <source>its whole path is needed.</source>
        <translation>Der ganze Pfad wird gebraucht.</translation>
    </message>
    <message>
        <source>its {file} cannot be read.</source>
        <translation>{file} darin lässt sich nicht lesen.</translation>
    </message>
    <message>
        <source>its {file} is far too long.</source>
        <translation>{file} darin ist viel zu lang.</translation>
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
        <source>last used: {when}</source>
        <translation>zuletzt benutzt: {when}</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>length</source>
        <translation>Länge</translation>
    </message>
    <message>
        <source>length of a sequence breaker</source>
        <translation>Länge eines DRY-Trenners</translation>
    </message>
    <message>
        <source>length of a stop text</source>
        <translation>Länge eines Stopptextes</translation>
    </message>
    <message>
        <source>licence {name}</source>
        <translation>Lizenz {name}</translation>
    </message>
    <message>
        <source>links in it lead out of its folder, so it is not to be trusted.</source>
        <translation>Verweise darin führen aus dem Ordner hinaus, darum ist dem nicht zu trauen.</translation>
    </message>
    <message>
        <source>llama.cpp could not compute the next step ({result}).</source>
        <translation>llama.cpp konnte den nächsten Schritt nicht berechnen ({result}).</translation>
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
        <source>llama.cpp could not make the context</source>
        <translation>llama.cpp konnte den Kontext nicht anlegen</translation>
    </message>
    <message>
        <source>llama.cpp did not take the control vectors.</source>
        <translation>llama.cpp hat die Steuervektoren nicht angenommen.</translation>
    </message>
    <message>
        <source>llama.cpp gave up (SIGABRT).</source>
        <translation>llama.cpp hat aufgegeben (SIGABRT).</translation>
    </message>
    <message>
        <source>llama.cpp gave up on it.</source>
        <translation>llama.cpp hat es aufgegeben.</translation>
    </message>
    <message>
        <source>llama.cpp gave up.</source>
        <translation>llama.cpp hat aufgegeben.</translation>
    </message>
    <message>
        <source>llama.cpp gave up: “{line}”.</source>
        <translation>llama.cpp hat aufgegeben: „{line}“.</translation>
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
        <translation>llama.cpp: {version}, Laufzeit {name}, Backends: {backends}</translation>
    </message>
    <message>
        <source>lm studio; ollama; jan; import models; models from other apps</source>
        <translation>Modelle anderer Programme; Modelle importieren</translation>
    </message>
    <message>
        <source>loading was stopped.</source>
        <translation>Das Laden wurde angehalten.</translation>
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
        <source>memory limit; ram limit; max memory; guardrails</source>
        <translation>Speichergrenze; Speicherlimit; RAM-Limit</translation>
    </message>
    <message>
        <source>memory ran out.</source>
        <translation>Der Speicher ging aus.</translation>
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
        <source>more than ten days</source>
        <translation>mehr als zehn Tage</translation>
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
        <source>names in it lead out of its folder, so it is not to be trusted.</source>
        <translation>Namen darin führen aus dem Ordner hinaus, darum ist dem nicht zu trauen.</translation>
    </message>
    <message>
        <source>needs {size}, {free} free</source>
        <translation>braucht {size}, {free} frei</translation>
    </message>
    <message>
        <source>never used</source>
        <translation>nie benutzt</translation>
    </message>
    <message>
        <source>news of a load that was not asked for.</source>
        <translation>Neues von einem Laden, das niemand verlangt hat.</translation>
    </message>
    <message>
        <source>news of no request ({id}).</source>
        <translation>Neues zu keiner Anfrage ({id}).</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>no connection could be made.</source>
        <translation>Keine Verbindung kam zustande.</translation>
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
        <source>no process can be started to read it ({reason}).</source>
        <translation>Es lässt sich kein Prozess starten, der sie liest ({reason}).</translation>
    </message>
    <message>
        <source>no process could be started ({reason}).</source>
        <translation>Es ließ sich kein Prozess starten ({reason}).</translation>
    </message>
    <message>
        <source>no system prompt</source>
        <translation>keine Systemanweisung</translation>
    </message>
    <message>
        <source>no text</source>
        <translation>kein Text</translation>
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
        <source>not here</source>
        <translation>nicht hier</translation>
    </message>
    <message>
        <source>not used</source>
        <translation>nicht benutzt</translation>
    </message>
    <message>
        <source>nothing answers there.</source>
        <translation>Dort antwortet nichts.</translation>
    </message>
    <message>
        <source>nothing can fulfil it.</source>
        <translation>Nichts kann es erfüllen.</translation>
    </message>
    <message>
        <source>nothing more arrived for a while.</source>
        <translation>Eine Weile kam nichts mehr an.</translation>
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
        <source>number of biased tokens</source>
        <translation>Anzahl der gewichteten Token</translation>
    </message>
    <message>
        <source>number of dimensions</source>
        <translation>Anzahl der Dimensionen</translation>
    </message>
    <message>
        <source>number of sequence breakers</source>
        <translation>Anzahl der DRY-Trenner</translation>
    </message>
    <message>
        <source>number of stop texts</source>
        <translation>Anzahl der Stopptexte</translation>
    </message>
    <message>
        <source>number of texts</source>
        <translation>Anzahl der Texte</translation>
    </message>
    <message>
        <source>of a fault in Fireside.</source>
        <translation>in Fireside selbst ist ein Fehler.</translation>
    </message>
    <message>
        <source>of {n} of {n_all} layers</source>
        <translation>von {n} von {n_all} Schichten</translation>
    </message>
    <message>
        <source>offered in new chats</source>
        <translation>wird in neuen Chats angeboten</translation>
    </message>
    <message>
        <source>offline mode; telemetry; privacy; internet; network; no connections; air gap</source>
        <translation>Offline-Modus; Telemetrie; Datenschutz; Privatsphäre; Internet; Netzwerk</translation>
    </message>
    <message>
        <source>on the processor</source>
        <translation>auf dem Prozessor</translation>
    </message>
    <message>
        <source>one answer at a time</source>
        <translation>eine Antwort zur Zeit</translation>
    </message>
    <message>
        <source>one is being written already.</source>
        <translation>Es wird schon eine geschrieben.</translation>
    </message>
    <message>
        <source>one model to take by itself</source>
        <translation>Modell, das man einzeln nimmt</translation>
    </message>
    <message>
        <source>one of the two folders lies in the other.</source>
        <translation>Einer der beiden Ordner liegt im anderen.</translation>
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
        <source>other messages follow it.</source>
        <translation>Andere Nachrichten folgen ihr.</translation>
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
        <source>parallel requests; n_parallel; num_parallel; slots; concurrency</source>
        <translation>parallele Anfragen; gleichzeitige Anfragen</translation>
    </message>
    <message>
        <source>picture: {name}</source>
        <translation>Bild: {name}</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>angeheftet</translation>
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
        <translation>Projektoren der Art „{kind}“ gehen noch nicht.</translation>
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
        <source>reading it takes too long.</source>
        <translation>Das Lesen dauert zu lange.</translation>
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
        <source>reckoned with a conversation of {count} tokens</source>
        <translation>gerechnet mit einem Gespräch von {count} Token</translation>
    </message>
    <message>
        <source>regular expression</source>
        <translation>regulärer Ausdruck</translation>
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
        <source>reranking</source>
        <translation>Neuordnen</translation>
    </message>
    <message>
        <source>response format; response_format; json mode; structured output; json schema; grammar; gbnf; regex</source>
        <translation>Antwortformat; JSON-Modus; strukturierte Ausgabe; strukturierte Antwort; Grammatik; JSON-Schema; regulärer Ausdruck</translation>
    </message>
    <message>
        <source>response reserve; reserved response tokens; n_keep; output reserve</source>
        <translation>Reserve für die Antwort; Antwortreserve</translation>
    </message>
    <message numerus="yes">
        <source>room for %n|room for %n</source>
        <translation>
            <numerusform>Platz für %n</numerusform>
            <numerusform>Platz für %n</numerusform>
        </translation>
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
        <source>samplers; sampler order; sampling order; sampler sequence</source>
        <translation>Reihenfolge der Sampler; Sampler-Reihenfolge</translation>
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
        <source>sees pictures</source>
        <translation>sieht Bilder</translation>
    </message>
    <message>
        <source>set otherwise</source>
        <translation>anders eingestellt</translation>
    </message>
    <message>
        <source>size that fits in memory</source>
        <translation>Größe, die in den Speicher passt</translation>
    </message>
    <message>
        <source>size that suits by itself</source>
        <translation>Größe, die von selbst passt</translation>
    </message>
    <message>
        <source>some rows belong to nothing</source>
        <translation>manche Zeilen gehören zu nichts</translation>
    </message>
    <message>
        <source>something answers there, but it is no hub. Look at the address in the settings.</source>
        <translation>Dort antwortet etwas, aber kein Hub. Sieh dir die Adresse in den Einstellungen an.</translation>
    </message>
    <message>
        <source>something else on this computer ended it (SIGHUP).</source>
        <translation>Etwas anderes auf diesem Computer hat ihn beendet (SIGHUP).</translation>
    </message>
    <message>
        <source>something else on this computer ended it (SIGKILL). The system has ended nothing for want of memory; {free} are free now.</source>
        <translation>Etwas anderes auf diesem Computer hat ihn beendet (SIGKILL). Das System hat nichts aus Speichermangel beendet; {free} sind jetzt frei.</translation>
    </message>
    <message>
        <source>something else on this computer ended it (SIGTERM).</source>
        <translation>Etwas anderes auf diesem Computer hat ihn beendet (SIGTERM).</translation>
    </message>
    <message>
        <source>something in it is not what it should be ({reason}).</source>
        <translation>Etwas darin ist nicht, was es sein sollte ({reason}).</translation>
    </message>
    <message>
        <source>something on your network answered in its place. If your network asks you to sign in, do that in your browser.</source>
        <translation>Etwas in deinem Netz hat stattdessen geantwortet. Wenn dein Netz eine Anmeldung verlangt, melde dich im Browser an.</translation>
    </message>
    <message>
        <source>something went wrong inside Fireside.</source>
        <translation>In Fireside ist etwas schiefgegangen.</translation>
    </message>
    <message>
        <source>speculative decoding; lookup decoding; ngram; prompt lookup</source>
        <translation>spekulatives Decodieren; spekulatives Dekodieren; Vorausraten</translation>
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
        <source>swa_full; sliding window; swa</source>
        <translation>gleitendes Fenster; Schiebefenster</translation>
    </message>
    <message>
        <source>system prompt “{text}”</source>
        <translation>Systemanweisung „{text}“</translation>
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
        <translation>Schlagwörter: {tags}</translation>
    </message>
    <message>
        <source>taken</source>
        <translation>genommen</translation>
    </message>
    <message>
        <source>taken  {percent}</source>
        <translation>genommen  {percent}</translation>
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
        <source>text to insert</source>
        <translation>Text zum Einfügen</translation>
    </message>
    <message>
        <source>that is not the name of a device.</source>
        <translation>Das ist nicht der Name eines Geräts.</translation>
    </message>
    <message>
        <source>the Linux driver</source>
        <translation>der Linux-Treiber</translation>
    </message>
    <message>
        <source>the archive is damaged.</source>
        <translation>Das Archiv ist beschädigt.</translation>
    </message>
    <message>
        <source>the archive is packed in a way that Fireside cannot read.</source>
        <translation>Das Archiv ist auf eine Art gepackt, die Fireside nicht lesen kann.</translation>
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
        <source>the branch that is shown ends in a message that is not there.</source>
        <translation>Der gezeigte Zweig endet in einer Nachricht, die nicht da ist.</translation>
    </message>
    <message>
        <source>the connection broke.</source>
        <translation>Die Verbindung ist abgebrochen.</translation>
    </message>
    <message>
        <source>the context kept in {bits} instead of {more}</source>
        <translation>der Kontext in {bits} statt {more}</translation>
    </message>
    <message>
        <source>the copy of {name} is not what was written. The disk may be damaged.</source>
        <translation>Die Kopie von {name} ist nicht, was geschrieben wurde. Die Platte ist vielleicht beschädigt.</translation>
    </message>
    <message>
        <source>the disk is full.</source>
        <translation>Die Platte ist voll.</translation>
    </message>
    <message>
        <source>the download is incomplete: {part} are there.</source>
        <translation>Der Download ist unvollständig: {part} sind da.</translation>
    </message>
    <message>
        <source>the file cannot be written.</source>
        <translation>Die Datei lässt sich nicht schreiben.</translation>
    </message>
    <message>
        <source>the files of a message can hold {most} characters together.</source>
        <translation>Die Dateien einer Nachricht fassen zusammen {most} Zeichen.</translation>
    </message>
    <message>
        <source>the graphics card stopped answering.</source>
        <translation>Die Grafikkarte antwortet nicht mehr.</translation>
    </message>
    <message>
        <source>the hub has another file in its place now. Fetch that one instead.</source>
        <translation>Auf dem Hub liegt jetzt eine andere Datei an ihrer Stelle. Hol stattdessen die.</translation>
    </message>
    <message>
        <source>the images of a message can take {most} MB together.</source>
        <translation>Die Bilder einer Nachricht dürfen zusammen {most} MB groß sein.</translation>
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
        <source>the last message ends with a call of a tool, which is complete.</source>
        <translation>Die letzte Nachricht endet mit einem Werkzeugaufruf, der abgeschlossen ist.</translation>
    </message>
    <message>
        <source>the last message is not an answer to go on with.</source>
        <translation>Die letzte Nachricht ist keine Antwort, die sich fortsetzen lässt.</translation>
    </message>
    <message>
        <source>the library holds at most {most} of them. Delete some that you do not use.</source>
        <translation>Die Sammlung fasst höchstens {most} davon. Lösch welche, die du nicht benutzt.</translation>
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
        <source>the model is not loaded.</source>
        <translation>Das Modell ist nicht geladen.</translation>
    </message>
    <message>
        <source>the model keeps no KV cache</source>
        <translation>das Modell führt keinen KV-Zwischenspeicher</translation>
    </message>
    <message>
        <source>the model lacks a token that its projector puts around images</source>
        <translation>dem Modell fehlt ein Token, das sein Projektor um Bilder setzt</translation>
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
        <source>the model&apos;s projector made something else of it than it had said.</source>
        <translation>Der Projektor des Modells machte etwas anderes daraus, als er gesagt hatte.</translation>
    </message>
    <message>
        <source>the name of a property</source>
        <translation>der Name einer Eigenschaft</translation>
    </message>
    <message>
        <source>the name of a property is no text; the file is damaged.</source>
        <translation>Der Name einer Eigenschaft ist kein Text; die Datei ist beschädigt.</translation>
    </message>
    <message>
        <source>the name of a tensor</source>
        <translation>der Name eines Tensors</translation>
    </message>
    <message>
        <source>the name of a tensor is no text; the file is damaged.</source>
        <translation>Der Name eines Tensors ist kein Text; die Datei ist beschädigt.</translation>
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
        <source>the present folder is not there.</source>
        <translation>Der jetzige Ordner ist nicht da.</translation>
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
        <source>the projector makes nothing of an image of this size</source>
        <translation>der Projektor kann mit einem Bild dieser Größe nichts anfangen</translation>
    </message>
    <message>
        <source>the property “{key}”</source>
        <translation>die Eigenschaft „{key}“</translation>
    </message>
    <message>
        <source>the property “{key}” has the unknown type {kind}; the file is damaged.</source>
        <translation>Die Eigenschaft „{key}“ hat den unbekannten Typ {kind}; die Datei ist beschädigt.</translation>
    </message>
    <message>
        <source>the property “{key}” is a list of lists, which GGUF does not use.</source>
        <translation>Die Eigenschaft „{key}“ ist eine Liste von Listen, was GGUF nicht benutzt.</translation>
    </message>
    <message>
        <source>the property “{key}” is there twice; the file is damaged.</source>
        <translation>Die Eigenschaft „{key}“ ist zweimal da; die Datei ist beschädigt.</translation>
    </message>
    <message>
        <source>the proxy asks for a name and a password.</source>
        <translation>Der Proxy fragt nach Name und Passwort.</translation>
    </message>
    <message>
        <source>the proxy did not do what it was asked.</source>
        <translation>Der Proxy hat nicht getan, worum er gebeten wurde.</translation>
    </message>
    <message>
        <source>the proxy or the certificates in the settings cannot be used ({reason}).</source>
        <translation>Der Proxy oder die Zertifikate in den Einstellungen lassen sich nicht benutzen ({reason}).</translation>
    </message>
    <message>
        <source>the small model that guesses ahead is not named.</source>
        <translation>Das kleine Modell zum Vorausraten ist nicht genannt.</translation>
    </message>
    <message>
        <source>the small model “{draft}” could not be read.</source>
        <translation>das kleine Modell „{draft}“ ist nicht lesbar.</translation>
    </message>
    <message>
        <source>the small model “{draft}” could not be started.</source>
        <translation>das kleine Modell „{draft}“ ließ sich nicht starten.</translation>
    </message>
    <message>
        <source>the suggested size of {repo}</source>
        <translation>die vorgeschlagene Größe von {repo}</translation>
    </message>
    <message>
        <source>the system</source>
        <translation>das System</translation>
    </message>
    <message>
        <source>the system does not let it be held in memory. Raise its limit on locked memory, or turn “Hold the model in memory” off.</source>
        <translation>das System lässt es nicht im Speicher festhalten. Erhöhe die Grenze für gesperrten Speicher, oder schalte „Modell im Speicher festhalten“ aus.</translation>
    </message>
    <message>
        <source>the system ended it ({name}).</source>
        <translation>Das System hat ihn beendet ({name}).</translation>
    </message>
    <message>
        <source>the system ended it with signal {number}.</source>
        <translation>Das System hat ihn mit Signal {number} beendet.</translation>
    </message>
    <message>
        <source>the system ended it, probably because memory ran out: it has ended a program for that since this model was loaded.</source>
        <translation>Das System hat ihn beendet, vermutlich aus Speichermangel: Deswegen hat es ein Programm beendet, seit dieses Modell geladen wurde.</translation>
    </message>
    <message>
        <source>the system is shutting down.</source>
        <translation>Das System fährt herunter.</translation>
    </message>
    <message>
        <source>the system or another program ended it (SIGKILL). {free} of memory are free now.</source>
        <translation>Das System oder ein anderes Programm hat ihn beendet (SIGKILL). {free} Arbeitsspeicher sind jetzt frei.</translation>
    </message>
    <message>
        <source>the tensor “{name}” does not begin where the one before it ends; the file is damaged.</source>
        <translation>Der Tensor „{name}“ beginnt nicht, wo der vor ihm endet; die Datei ist beschädigt.</translation>
    </message>
    <message>
        <source>the tensor “{name}” has an impossible size; the file is damaged.</source>
        <translation>Der Tensor „{name}“ hat eine unmögliche Größe; die Datei ist beschädigt.</translation>
    </message>
    <message>
        <source>the tensor “{name}” has rows of {count} numbers, which {kind} cannot hold; the file is damaged.</source>
        <translation>Der Tensor „{name}“ hat Zeilen mit {count} Zahlen, die {kind} nicht fassen kann; die Datei ist beschädigt.</translation>
    </message>
    <message>
        <source>the tensor “{name}” has {count} dimensions, and at most 4 are possible.</source>
        <translation>Der Tensor „{name}“ hat {count} Dimensionen, und höchstens 4 sind möglich.</translation>
    </message>
    <message>
        <source>the tensor “{name}” is in a number format that this Fireside does not know ({kind}).</source>
        <translation>Der Tensor „{name}“ ist in einem Zahlenformat, das dieses Fireside nicht kennt ({kind}).</translation>
    </message>
    <message>
        <source>the tensor “{name}” is there twice; the file is damaged.</source>
        <translation>Der Tensor „{name}“ ist zweimal da; die Datei ist beschädigt.</translation>
    </message>
    <message>
        <source>the tensor “{name}” lies outside the file.</source>
        <translation>Der Tensor „{name}“ liegt außerhalb der Datei.</translation>
    </message>
    <message>
        <source>there are at most {n} devices.</source>
        <translation>es gibt höchstens {n} Geräte.</translation>
    </message>
    <message>
        <source>there is an error inside Fireside.</source>
        <translation>in Fireside selbst ist ein Fehler.</translation>
    </message>
    <message>
        <source>there is far too much in it.</source>
        <translation>Darin steht viel zu viel.</translation>
    </message>
    <message>
        <source>there is no conversation to export.</source>
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
        <source>there is no processor {number} for it.</source>
        <translation>es gibt keinen Prozessor {number} dafür.</translation>
    </message>
    <message>
        <source>there is no such file.</source>
        <translation>Diese Datei gibt es nicht.</translation>
    </message>
    <message>
        <source>there is no tool called “{tool}”.</source>
        <translation>ein Werkzeug namens „{tool}“ gibt es nicht.</translation>
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
        <source>these libraries of llama.cpp are not in it: {listed}.</source>
        <translation>Diese Bibliotheken von llama.cpp fehlen darin: {listed}.</translation>
    </message>
    <message>
        <source>they are being moved already.</source>
        <translation>Sie werden schon verschoben.</translation>
    </message>
    <message>
        <source>they are there already.</source>
        <translation>Sie sind schon dort.</translation>
    </message>
    <message>
        <source>thinking budget; reasoning budget; max thinking tokens</source>
        <translation>Denkbudget; längstes Nachdenken; Denk-Token</translation>
    </message>
    <message>
        <source>this address cannot be read.</source>
        <translation>Diese Adresse lässt sich nicht lesen.</translation>
    </message>
    <message>
        <source>this address is not one of the hub&apos;s.</source>
        <translation>Diese Adresse gehört nicht zum Hub.</translation>
    </message>
    <message>
        <source>this build of llama.cpp has no part for images.</source>
        <translation>Dieser Build von llama.cpp hat keinen Teil für Bilder.</translation>
    </message>
    <message>
        <source>this is the address of something else than a model.</source>
        <translation>Das ist die Adresse von etwas anderem als einem Modell.</translation>
    </message>
    <message>
        <source>this kind of model does not write text word by word.</source>
        <translation>Diese Art von Modell schreibt Text nicht Wort für Wort.</translation>
    </message>
    <message>
        <source>this model was not taught to fill gaps in a text.</source>
        <translation>Dieses Modell hat nicht gelernt, Lücken in einem Text zu füllen.</translation>
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
        <source>threads</source>
        <translation>Rechenfäden</translation>
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
        <source>three quarters of the layers on the GPU</source>
        <translation>drei Viertel der Schichten auf der GPU</translation>
    </message>
    <message>
        <source>three to five short bullet points</source>
        <translation>drei bis fünf kurze Stichpunkte</translation>
    </message>
    <message>
        <source>timeout; load timeout; load_timeout</source>
        <translation>Zeitlimit; Zeitüberschreitung; Ladezeit</translation>
    </message>
    <message>
        <source>to fit, it gives one answer at a time</source>
        <translation>damit es passt, gibt es nur eine Antwort zur selben Zeit</translation>
    </message>
    <message>
        <source>to fit, its context has {n} tokens and not {n_wanted}</source>
        <translation>damit es passt, hat der Kontext {n} Token statt {n_wanted}</translation>
    </message>
    <message>
        <source>to fit, its context is kept in 8-bit numbers</source>
        <translation>damit es passt, steht der Kontext in 8-Bit-Zahlen</translation>
    </message>
    <message>
        <source>token {token} stands for another text in it</source>
        <translation>Token {token} steht darin für einen anderen Text</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>tokens a second</source>
        <translation>Token pro Sekunde</translation>
    </message>
    <message>
        <source>tone</source>
        <translation>Ton</translation>
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
        <source>turn texts into vectors</source>
        <translation>Texte in Vektoren umwandeln</translation>
    </message>
    <message>
        <source>turning texts into numbers</source>
        <translation>das Umwandeln von Texten in Zahlen</translation>
    </message>
    <message>
        <source>turning texts into vectors</source>
        <translation>das Umwandeln von Texten in Vektoren</translation>
    </message>
    <message>
        <source>two to four answers can be compared.</source>
        <translation>Zwei bis vier Antworten lassen sich vergleichen.</translation>
    </message>
    <message>
        <source>two tools are called “{tool}”.</source>
        <translation>zwei Werkzeuge heißen „{tool}“.</translation>
    </message>
    <message>
        <source>type it like “owner/model” or paste its address.</source>
        <translation>Schreib es wie „Besitzer/Modell“ oder füg die Adresse ein.</translation>
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
        <source>under 0.1 %</source>
        <translation>unter 0,1 %</translation>
    </message>
    <message>
        <source>under 5 %</source>
        <translation>unter 5 %</translation>
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
        <source>unknown error “{code}”.</source>
        <translation>unbekannter Fehler „{code}“.</translation>
    </message>
    <message>
        <source>unnamed</source>
        <translation>unbenannt</translation>
    </message>
    <message>
        <source>up to {n_ctx} context</source>
        <translation>bis {n_ctx} Kontext</translation>
    </message>
    <message>
        <source>updated {when}</source>
        <translation>aktualisiert {when}</translation>
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
        <source>waiting</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>what it stored does not read back as it was.</source>
        <translation>Das Gespeicherte kommt nicht so zurück, wie es war.</translation>
    </message>
    <message>
        <source>where they are is set in the environment or on the command line.</source>
        <translation>Wo sie liegen, ist in der Umgebung oder auf der Befehlszeile festgelegt.</translation>
    </message>
    <message>
        <source>with the part that lets it see pictures, {size}</source>
        <translation>mit dem Teil, durch den es Bilder sieht, {size}</translation>
    </message>
    <message>
        <source>without a draft model</source>
        <translation>ohne Entwurfsmodell</translation>
    </message>
    <message>
        <source>without pictures</source>
        <translation>ohne Bilder</translation>
    </message>
    <message>
        <source>write text</source>
        <translation>Text schreiben</translation>
    </message>
    <message>
        <source>writing text</source>
        <translation>das Schreiben von Text</translation>
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
        <source>{amount} free</source>
        <translation>{amount} frei</translation>
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
        <source>{architecture}, {n_layers} layers of {n_embd}</source>
        <translation>{architecture}, {n_layers} Schichten zu {n_embd}</translation>
    </message>
    <message>
        <source>{ask} – then put your access token into the settings.</source>
        <translation>{ask} – trage dann dein Zugriffstoken in den Einstellungen ein.</translation>
    </message>
    <message>
        <source>{bad} of {whole} parts differ from what was downloaded. “Repair” fetches only those again.</source>
        <translation>{bad} von {whole} Teilen weichen von dem ab, was heruntergeladen wurde. „Reparieren“ holt nur diese neu.</translation>
    </message>
    <message>
        <source>{context} context</source>
        <translation>{context} Kontext</translation>
    </message>
    <message>
        <source>{count} at work</source>
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
        <source>{count} more: type part of the name to find them.</source>
        <translation>{count} weitere: Tipp einen Teil des Namens, um sie zu finden.</translation>
    </message>
    <message>
        <source>{count} parameters</source>
        <translation>{count} Parameter</translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation>{count} Token</translation>
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
        <source>{fewer} instead of {more} tokens</source>
        <translation>{fewer} statt {more} Token</translation>
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
        <source>{folder} is in use now. Removing the old files…</source>
        <translation>{folder} ist jetzt in Gebrauch. Die alten Dateien werden entfernt…</translation>
    </message>
    <message>
        <source>{found} · still reading</source>
        <translation>{found} · wird noch gelesen</translation>
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
        <source>{host} cannot be reached: {reason}</source>
        <translation>{host} ist nicht erreichbar: {reason}</translation>
    </message>
    <message>
        <source>{host} has a problem at the moment (error {status}).</source>
        <translation>{host} hat im Moment ein Problem (Fehler {status}).</translation>
    </message>
    <message>
        <source>{hours} h {minutes} min</source>
        <translation>{hours} h {minutes} min</translation>
    </message>
    <message>
        <source>{keys} cannot be used. {reason}</source>
        <translation>{keys} geht nicht. {reason}</translation>
    </message>
    <message>
        <source>{keys} is for “{command}”.</source>
        <translation>{keys} ist für „{command}“.</translation>
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
        <source>{label}, of {others}: close to full quality at about a quarter of the size.</source>
        <translation>{label}, von {others}: fast volle Qualität bei etwa einem Viertel der Größe.</translation>
    </message>
    <message>
        <source>{label}, of {others}: the nearest to the usual one.</source>
        <translation>{label}, von {others}: der üblichen am nächsten.</translation>
    </message>
    <message>
        <source>{label}, slider</source>
        <translation>{label}, Schieberegler</translation>
    </message>
    <message>
        <source>{label}: a value of its own</source>
        <translation>{label}: ein eigener Wert</translation>
    </message>
    <message>
        <source>{label}: the smallest of {count}.</source>
        <translation>{label}: die kleinste von {count}.</translation>
    </message>
    <message>
        <source>{line}, the fastest</source>
        <translation>{line}, am schnellsten</translation>
    </message>
    <message>
        <source>{line}, {place} of {n_lines}</source>
        <translation>{line}, {place} von {n_lines}</translation>
    </message>
    <message>
        <source>{memory} of the computer’s own</source>
        <translation>{memory} vom Arbeitsspeicher</translation>
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
        <source>{model} cannot see images. Remove the image, or choose a model that can.</source>
        <translation>{model} kann keine Bilder sehen. Entferne das Bild oder wähle ein Modell, das es kann.</translation>
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
        <source>{model} is not loaded. It words the prompt itself and must be loaded for that.</source>
        <translation>{model} ist nicht geladen. Es formuliert die Eingabe selbst und muss dafür geladen sein.</translation>
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
        <source>{model} stopped {n_crashes} times in a few minutes, so it is not restarted by itself. Load it again to try once more. The last time: {cause}</source>
        <translation>{model} hielt in wenigen Minuten {n_crashes}-mal an und wird deshalb nicht von selbst neu gestartet. Lade es neu, um es noch einmal zu versuchen. Zuletzt: {cause}</translation>
    </message>
    <message>
        <source>{n_ctx} context</source>
        <translation>{n_ctx} Kontext</translation>
    </message>
    <message numerus="yes">
        <source>{n_done} of %n chat|{n_done} of %n chats</source>
        <translation>
            <numerusform>{n_done} von %n Chat</numerusform>
            <numerusform>{n_done} von %n Chats</numerusform>
        </translation>
    </message>
    <message>
        <source>{n_given} strengths were given, and {n_loaded} adapters are loaded.</source>
        <translation>angegeben sind {n_given} Stärken, geladen sind {n_loaded} Adapter.</translation>
    </message>
    <message>
        <source>{n_shares} shares were given, and {n_devices} devices are used.</source>
        <translation>angegeben sind {n_shares} Anteile, benutzt werden {n_devices} Geräte.</translation>
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
        <source>{name} answered</source>
        <translation>{name} antwortete</translation>
    </message>
    <message>
        <source>{name} answered:</source>
        <translation>{name} antwortete:</translation>
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
        <source>{name} is being fetched already, here or by another Fireside.</source>
        <translation>{name} wird schon geholt, hier oder von einem anderen Fireside.</translation>
    </message>
    <message>
        <source>{name} is loading… {percent}%</source>
        <translation>{name} wird geladen… {percent} %</translation>
    </message>
    <message>
        <source>{name} is not used: it is not offered by {builds}. Its driver may be too old or not whole, or the environment hides it.</source>
        <translation>{name} wird nicht benutzt: {builds} bietet sie nicht an. Ihr Treiber ist vielleicht zu alt oder unvollständig, oder die Umgebung versteckt sie.</translation>
    </message>
    <message>
        <source>{name} is not used: the build of llama.cpp in use cannot compute on it. A runtime with {helps} could.</source>
        <translation>{name} wird nicht benutzt: Der laufende Build von llama.cpp kann nicht darauf rechnen. Eine Laufzeit mit {helps} könnte es.</translation>
    </message>
    <message>
        <source>{name} is not used: the runtime “{runtime}” cannot compute on it. A runtime with {helps} could.</source>
        <translation>{name} wird nicht benutzt: Die Laufzeit „{runtime}“ kann nicht darauf rechnen. Eine Laufzeit mit {helps} könnte es.</translation>
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
        <source>{name} loads with your first message.</source>
        <translation>{name} wird mit deiner ersten Nachricht geladen.</translation>
    </message>
    <message>
        <source>{name} waits its turn to be loaded.</source>
        <translation>{name} wartet, bis es geladen werden kann.</translation>
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
        <source>{name}: reading {prefill}, writing {decode} tokens a second</source>
        <translation>{name}: liest {prefill}, schreibt {decode} Token pro Sekunde</translation>
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
        <source>{n} are more than {most}.</source>
        <translation>{n} sind mehr als {most}.</translation>
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
        <source>{n} of {n_all} layers run on {gpu}, the others on the processor</source>
        <translation>{n} von {n_all} Schichten laufen auf {gpu}, die anderen auf dem Prozessor</translation>
    </message>
    <message>
        <source>{n} of {n_all} layers run on {gpu}, the others on the processor, since {gpu} has no room for more</source>
        <translation>{n} von {n_all} Schichten laufen auf {gpu}, die anderen auf dem Prozessor, denn {gpu} hat keinen Platz für mehr</translation>
    </message>
    <message>
        <source>{n} of {n_all} layers run on {gpu}, the others on the processor, since {gpu} have no room for more</source>
        <translation>{n} von {n_all} Schichten laufen auf {gpu}, die anderen auf dem Prozessor, denn {gpu} haben keinen Platz für mehr</translation>
    </message>
    <message>
        <source>{n} pages could not be read: {pages}.</source>
        <translation>{n} Seiten waren nicht lesbar: {pages}.</translation>
    </message>
    <message>
        <source>{n} repetitions are too many, at most {most} are counted.</source>
        <translation>{n} Wiederholungen sind zu viele, gezählt wird bis {most}.</translation>
    </message>
    <message>
        <source>{n} tokens at once need a micro-batch of {least} or more.</source>
        <translation>{n} Token auf einmal brauchen einen Mikro-Batch von mindestens {least}.</translation>
    </message>
    <message>
        <source>{owner} asks for consent before a download; you have given it.</source>
        <translation>{owner} bittet vor dem Herunterladen um Zustimmung; du hast sie gegeben.</translation>
    </message>
    <message>
        <source>{owner} asks for your consent before the download: accept the terms on the model’s page with an account of the hub, then put an access token of that account into the settings.</source>
        <translation>{owner} bittet vor dem Herunterladen um deine Zustimmung: Nimm die Bedingungen auf der Seite des Modells mit einem Konto des Hubs an und trag dann ein Zugriffstoken dieses Kontos in die Einstellungen ein.</translation>
    </message>
    <message>
        <source>{pages} and others</source>
        <translation>{pages} und weitere</translation>
    </message>
    <message>
        <source>{params} parameters</source>
        <translation>{params} Parameter</translation>
    </message>
    <message numerus="yes">
        <source>{part} of %n token was thinking.|{part} of %n tokens were thinking.</source>
        <translation>
            <numerusform>{part} von %n Token war Denken.</numerusform>
            <numerusform>{part} von %n Token waren Denken.</numerusform>
        </translation>
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
            <numerusform>{part}: %n Token</numerusform>
        </translation>
    </message>
    <message>
        <source>{path} cannot be checked: {reason}</source>
        <translation>{path} kann nicht geprüft werden: {reason}</translation>
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
        <source>{path} is missing or cannot be opened.</source>
        <translation>{path} fehlt oder lässt sich nicht öffnen.</translation>
    </message>
    <message>
        <source>{percent} % busy</source>
        <translation>{percent} % ausgelastet</translation>
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
        <source>{preset} (changed)</source>
        <translation>{preset} (geändert)</translation>
    </message>
    <message>
        <source>{repo} has another version of this file: {size_bytes} to download. The file that you have stays until then.</source>
        <translation>{repo} hat eine andere Version dieser Datei: {size_bytes} zum Herunterladen. Deine Datei bleibt bis dahin.</translation>
    </message>
    <message>
        <source>{repo} has no “{wanted}”. It has: {available}.</source>
        <translation>{repo} hat kein „{wanted}“. Vorhanden: {available}.</translation>
    </message>
    <message>
        <source>{repo} holds no model files (.gguf).</source>
        <translation>{repo} enthält keine Modelldateien (.gguf).</translation>
    </message>
    <message numerus="yes">
        <source>{right} of %n token guessed ahead was right.|{right} of %n tokens guessed ahead were right.</source>
        <translation>
            <numerusform>{right} von %n vorausgeratenen Token war richtig.</numerusform>
            <numerusform>{right} von %n vorausgeratenen Token waren richtig.</numerusform>
        </translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} s</translation>
    </message>
    <message>
        <source>{size} (would be taken)</source>
        <translation>{size} (würde belegt)</translation>
    </message>
    <message>
        <source>{size} are needed and {free} are free.</source>
        <translation>{size} werden gebraucht, und {free} sind frei.</translation>
    </message>
    <message numerus="yes">
        <source>{size} in %n file|{size} in %n files</source>
        <translation>
            <numerusform>{size} in %n Datei</numerusform>
            <numerusform>{size} in %n Dateien</numerusform>
        </translation>
    </message>
    <message>
        <source>{size} of memory</source>
        <translation>{size} Speicher</translation>
    </message>
    <message>
        <source>{size} of memory of {device}</source>
        <translation>{size} Speicher von {device}</translation>
    </message>
    <message>
        <source>{size} of that are copies of the same content.</source>
        <translation>{size} davon sind Kopien desselben Inhalts.</translation>
    </message>
    <message>
        <source>{size} to download</source>
        <translation>{size} zum Herunterladen</translation>
    </message>
    <message>
        <source>{size} to go</source>
        <translation>noch {size}</translation>
    </message>
    <message>
        <source>{size}, does not fit</source>
        <translation>{size}, passt nicht</translation>
    </message>
    <message>
        <source>{size}, fits</source>
        <translation>{size}, passt</translation>
    </message>
    <message>
        <source>{size}, fits in part</source>
        <translation>{size}, passt zum Teil</translation>
    </message>
    <message>
        <source>{speed} beside a busy program</source>
        <translation>{speed} neben einem beschäftigten Programm</translation>
    </message>
    <message>
        <source>{speed} tokens/s</source>
        <translation>{speed} Token/s</translation>
    </message>
    <message>
        <source>{time} left</source>
        <translation>noch {time}</translation>
    </message>
    <message>
        <source>{title} – Fireside</source>
        <translation>{title} – Fireside</translation>
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
        <source>{token}, taken</source>
        <translation>{token}, genommen</translation>
    </message>
    <message numerus="yes">
        <source>{used} of %n token|{used} of %n tokens</source>
        <translation>
            <numerusform>{used} von %n Token</numerusform>
            <numerusform>{used} von %n Token</numerusform>
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
        <source>{wanted} (not here)</source>
        <translation>{wanted} (nicht da)</translation>
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
        <source>{what} is said to be {length} bytes long; the file is damaged.</source>
        <translation>Angeblich {length} Byte lang: {what}; die Datei ist beschädigt.</translation>
    </message>
    <message>
        <source>{why} It goes on as soon as there is room.</source>
        <translation>{why} Es geht weiter, sobald Platz ist.</translation>
    </message>
    <message>
        <source>{why} It is tried again in {wait}.</source>
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
        <source>“{changed}” in it is damaged.</source>
        <translation>„{changed}“ darin ist beschädigt.</translation>
    </message>
    <message>
        <source>“{changed}” in it is not as it was when it was added.</source>
        <translation>„{changed}“ darin ist nicht mehr so, wie es beim Hinzufügen war.</translation>
    </message>
    <message>
        <source>“{chosen}” is chosen and cannot be used, so the one built for this computer is.</source>
        <translation>„{chosen}“ ist gewählt und lässt sich nicht benutzen, darum läuft die für diesen Computer gebaute.</translation>
    </message>
    <message>
        <source>“{draft}” cannot guess for it: it cannot take tokens back.</source>
        <translation>„{draft}“ kann nicht dafür vorausraten: es kann keine Token zurücknehmen.</translation>
    </message>
    <message>
        <source>“{draft}” cannot guess for it: {why}. Choose a model of the same family.</source>
        <translation>„{draft}“ kann nicht dafür vorausraten: {why}. Nimm ein Modell derselben Familie.</translation>
    </message>
    <message>
        <source>“{file}” is not a projector for images.</source>
        <translation>„{file}“ ist kein Projektor für Bilder.</translation>
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
        <source>“{name}” cannot be attached: {reason}</source>
        <translation>„{name}“ kann nicht angehängt werden: {reason}</translation>
    </message>
    <message>
        <source>“{name}” cannot be deleted here</source>
        <translation>„{name}“ kann hier nicht gelöscht werden</translation>
    </message>
    <message>
        <source>“{name}” does not work on this computer.</source>
        <translation>„{name}“ läuft nicht auf diesem Computer.</translation>
    </message>
    <message>
        <source>“{name}” goes to the trash. Emptying it frees {size}.</source>
        <translation>„{name}“ kommt in den Papierkorb. Ihn zu leeren macht {size} frei.</translation>
    </message>
    <message>
        <source>“{name}” goes to the trash. That frees no space: the file is also there by another name.</source>
        <translation>„{name}“ kommt in den Papierkorb. Das macht keinen Platz frei: Die Datei gibt es auch unter einem anderen Namen.</translation>
    </message>
    <message numerus="yes">
        <source>“{name}” has more than %n character.|“{name}” has more than %n characters.</source>
        <translation>
            <numerusform>„{name}“ hat mehr als %n Zeichen.</numerusform>
            <numerusform>„{name}“ hat mehr als %n Zeichen.</numerusform>
        </translation>
    </message>
    <message>
        <source>“{name}” in it cannot be unpacked.</source>
        <translation>„{name}“ darin lässt sich nicht entpacken.</translation>
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
        <source>“{name}” in it is no library.</source>
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
        <source>“{name}” is damaged.</source>
        <translation>„{name}“ ist beschädigt.</translation>
    </message>
    <message>
        <source>“{name}” is in it twice.</source>
        <translation>„{name}“ ist zweimal darin.</translation>
    </message>
    <message>
        <source>“{name}” is in the trash.</source>
        <translation>„{name}“ liegt im Papierkorb.</translation>
    </message>
    <message>
        <source>“{name}” is in the trash. Emptying it frees {freed_bytes}.</source>
        <translation>„{name}“ liegt im Papierkorb. Ihn zu leeren schafft {freed_bytes} Platz.</translation>
    </message>
    <message>
        <source>“{name}” is no longer listed. Its file stays where it is.</source>
        <translation>„{name}“ steht nicht mehr in der Liste. Die Datei bleibt, wo sie ist.</translation>
    </message>
    <message>
        <source>“{name}” is no longer listed. Its files stay.</source>
        <translation>„{name}“ steht nicht mehr in der Liste. Die Dateien bleiben.</translation>
    </message>
    <message>
        <source>“{name}” is no model on the hub: {reason}</source>
        <translation>„{name}“ ist kein Modell auf dem Hub: {reason}</translation>
    </message>
    <message>
        <source>“{name}” is not used any more: {reason} Models run with the runtime that was built for this computer until it passes its test again.</source>
        <translation>„{name}“ wird nicht mehr benutzt: {reason} Modelle laufen mit der Laufzeit, die für diesen Computer gebaut wurde, bis sie ihren Test wieder besteht.</translation>
    </message>
    <message>
        <source>“{name}” is removed.</source>
        <translation>„{name}“ ist entfernt.</translation>
    </message>
    <message>
        <source>“{name}” is whole again.</source>
        <translation>„{name}“ ist wieder heil.</translation>
    </message>
    <message>
        <source>“{name}” is whole.</source>
        <translation>„{name}“ ist heil.</translation>
    </message>
    <message>
        <source>“{name}” was left out. {sentence}</source>
        <translation>„{name}“ wurde weggelassen. {sentence}</translation>
    </message>
    <message>
        <source>“{name}” works on this computer.</source>
        <translation>„{name}“ läuft auf diesem Computer.</translation>
    </message>
    <message>
        <source>“{name}”: {reason}</source>
        <translation>„{name}“: {reason}</translation>
    </message>
    <message>
        <source>“{part}” has characters that no name there has.</source>
        <translation>„{part}“ hat Zeichen, die dort kein Name hat.</translation>
    </message>
    <message>
        <source>“{pattern}” is not a valid regular expression.</source>
        <translation>„{pattern}“ ist kein gültiger regulärer Ausdruck.</translation>
    </message>
    <message>
        <source>“{repo}” is no model.</source>
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
        <source>“{token}”   {percent}</source>
        <translation>„{token}“   {percent}</translation>
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
        <source>↑ ↓ to choose   ·   Enter or Tab to take it   ·   Esc to write a slash</source>
        <translation>↑ ↓ wählen   ·   Enter oder Tab übernimmt   ·   Esc schreibt den Schrägstrich</translation>
    </message>
    <message>
        <source>↑ ↓ to choose   ·   Return to do it   ·   Esc to close</source>
        <translation>↑ ↓ wählen   ·   Eingabetaste ausführen   ·   Esc schließen</translation>
    </message>
    <message>
        <source>⟨mark {token}⟩</source>
        <translation>⟨Marke {token}⟩</translation>
    </message>
</context>
</TS>

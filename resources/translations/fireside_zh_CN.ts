<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name></name>
    <message>
        <source> and </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> or </source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n ahead|%n ahead</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n answer at a time|%n answers at a time</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n answer, compare again|%n answers, compare again</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n brought back.|%n brought back.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n byte|%n bytes</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cached|%n cached</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n character|%n characters</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat imported.|%n chats imported.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat so far|%n chats so far</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat was there already.|%n chats were there already.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat|%n chats</source>
        <translation>
            <numerusform>%n 个聊天</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat|%n chats</source>
        <comment>in so many of them</comment>
        <translation>
            <numerusform>%n 个聊天</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n core|%n cores</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n could not be imported:|%n could not be imported:</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n day ago|%n days ago</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n download this month|%n downloads this month</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n failed|%n failed</source>
        <comment>downloads</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file was left out: a message takes {most} at most.|%n files were left out: a message takes {most} at most.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file|%n files</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n folder|%n folders</source>
        <comment>in so many of them</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n graphics card|%n graphics cards</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hour ago|%n hours ago</source>
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
        <source>%n in the queue|%n in the queue</source>
        <comment>downloads</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n kept on disk|%n kept on disk</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n layer on the GPU|%n layers on the GPU</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n like|%n likes</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message in {chats}|%n messages in {chats}</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message more|%n messages more</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message waits for you to send it|%n messages wait for you to send them</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message waits until the answer is done|%n messages wait until the answer is done</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n minute ago|%n minutes ago</source>
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
        <source>%n model takes {size} in {folders}.|%n models take {size} in {folders}.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n model, that is all.|%n models, that is all.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n model|%n models</source>
        <translation>
            <numerusform>%n 个模型</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n month ago|%n months ago</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n page|%n pages</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n paused|%n paused</source>
        <comment>downloads</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pinned message|%n pinned messages</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n preset added.|%n presets added.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n preset exported.|%n presets exported.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n request is waiting already. Try again when it is done.|%n requests are waiting already. Try again when some are done.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n runner ended while it started.|%n runners in a row ended while they started.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n running|%n running</source>
        <comment>downloads</comment>
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
    <message numerus="yes">
        <source>%n size|%n sizes</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n still in memory|%n still in memory</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n still in the context|%n still in the context</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensor|%n tensors</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thread for reading|%n threads for reading</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thread|%n threads</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thread|%n threads</source>
        <comment>of a processor</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token at once|%n tokens at once</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token was kept on disk|%n tokens were kept on disk</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token was still in memory|%n tokens were still in memory</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token was still in the context|%n tokens were still in the context</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token, perplexity {perplexity}: on average the model chose as if among {likely} equally likely tokens.|%n tokens, perplexity {perplexity}: on average the model chose as if among {likely} equally likely tokens.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token, {pages}|%n tokens, {pages}</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token, {special} of them marks of the template|%n tokens, {special} of them marks of the template</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token|%n tokens</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n under way, {percent} %|%n under way, {percent} %</source>
        <comment>downloads</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n waiting|%n waiting</source>
        <comment>downloads</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n was there already.|%n were there already.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n week ago|%n weeks ago</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n year ago|%n years ago</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>(link blocked: {url})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1-bit, tiny, much of the quality lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>12 months</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>15 minutes after an answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>16 bit (BF16)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>16 bit (F16)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>16 bits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>16 bits, exact</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>16-bit, full quality, large for what it gains</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>16B to 36B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>2-bit, very small, much of the quality lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>20 to 50 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>3-bit, small, some of the quality lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>30 days</source>
        <translation>30 天</translation>
    </message>
    <message>
        <source>32 bit (F32)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>32 bits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>32-bit, full quality, very large for what it gains</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>36B to 80B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>3B to 9B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>4 bit (Q4_0)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>4 bit (Q4_1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>4 bits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>4 bits, a quarter of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>4-bit, good balance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>5 bit (Q5_0)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>5 bit (Q5_1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>5 bits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>5 minutes after an answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>5 to 20 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>5-bit, close to full quality</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>50 to 90 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>6-bit, very close to full quality</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>7 days</source>
        <translation>7 天</translation>
    </message>
    <message>
        <source>8 bit (Q8_0)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>8 bit cache (answers a little less exact)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>8 bits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>8 bits, half the room</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>8-bit, practically full quality</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>90 % and more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>9B to 16B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A Jinja template in place of the model&apos;s own; the model&apos;s page in the library shows an example.</source>
        <translation>用来代替模型自带模板的 Jinja 模板；资料库中该模型的页面会显示示例。</translation>
    </message>
    <message>
        <source>A backup holds all chats as they were then. Each was checked when it was made.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A conversation as the model sees it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A date</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A faster way to compute long contexts with less memory; Auto uses it where it helps.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A file is still being read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A file of certificates to trust besides those of your system, as some companies need.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A good all-rounder in many languages that can think first where a question is hard.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A good size for this computer: {quant}. {fit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A graphics card ({driver})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A load that stands still for so long, neither reading nor computing anything, is given up.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A new message to:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A newer version is there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A note from your system when an answer took long and the window is not in front.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A number for each card, such as 3, 1; empty goes by their free memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A pattern and the device for the tensors that it finds, one a line, such as ffn_(up|down)=CPU; the first that fits holds.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A person</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A picture, {kind}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A polite reply to a message that you paste</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A preset cannot hold this setting.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A quick question can be asked from anywhere: let a key of your desktop start “fireside ask-window”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A runtime is a build of llama.cpp, the part of Fireside that computes: others may know your graphics card. It is a program that runs on your computer, so add only what comes from people you trust. Nothing is fetched by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A second answer then takes no memory of its own, and all are computed in one pass; without it, an answer depends less on what runs beside it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A short list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A small model of the same family that guesses ahead for the large one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>A system prompt has at most %n character.|A system prompt has at most %n characters.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>A table of differences and a recommendation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A typical turn takes {gain} less time with: {changes}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A widely used model for conversation and writing, with room for long texts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About Fireside</source>
        <translation>关于 Fireside</translation>
    </message>
    <message>
        <source>About the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About this chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About this model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About your message</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>About {used} of %n token|About {used} of %n tokens</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Above 0 the model avoids words that it has used at all; 0 turns it off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Above 0 the model avoids words the more often it has used them; 0 turns it off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Above 1 the model avoids repeating itself; 1 turns it off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accelerator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accent colour</source>
        <translation>强调色</translation>
    </message>
    <message>
        <source>Access</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Access token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Actions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adapters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adapters (LoRA)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a file…</source>
        <translation>添加文件…</translation>
    </message>
    <message>
        <source>Add a folder of models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <source>Add a runtime</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a runtime from a folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a tag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add files…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add model files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Added file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Added models and folders</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Added one model.|Added %n models.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Adding up…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Address of the hub</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add…</source>
        <translation>添加…</translation>
    </message>
    <message>
        <source>After the first answer the model gives the chat a title, if it is large enough to do it well.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After this many tokens the model stops thinking and answers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message numerus="yes">
        <source>All %n chat|All %n chats</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>All branches and settings, as JSON that Fireside can import again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All chats are backed up.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All chats are those of the backup now. What there was before is the newest in the list.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All chats become what they were in this backup. What there is now is backed up first, so you can come back to it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All compute every layer together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All layers on the GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All models of the library are copied to {asked}, compared, and only then removed from where they are now. Models of other applications stay where they are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All models…</source>
        <translation>全部模型…</translation>
    </message>
    <message>
        <source>All presets…</source>
        <translation>所有预设…</translation>
    </message>
    <message>
        <source>All that is free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Always</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Always there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An answer ends after this many tokens, finished or not.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An answer ends where one of these would appear, but for the thinking before it; one a line.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An answer is done.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An archive (tar.xz, tar.gz, zip) or a folder. You can also drop an archive here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An estimate: the model counts exactly once it is loaded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An hour after an answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An icon in your system’s tray leads back to the window and to a quick question, which a key of your desktop can open too if it starts “fireside ask-window”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another part</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another program is holding the conversation database. Saving goes on when it lets go.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer again</source>
        <translation>重新回答</translation>
    </message>
    <message>
        <source>Answer again with another model or other settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer again with…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer an e-mail</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer failed: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer finished</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer {number}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer, interrupted: {words}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer, still being written: {words}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer: working</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer: {words}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answering</source>
        <translation>回答中</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Answers at the same time</source>
        <translation>同时回答数</translation>
    </message>
    <message>
        <source>Answers in this chat follow a rule. Click to change it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answers side by side</source>
        <translation>并排显示回答</translation>
    </message>
    <message>
        <source>Answers: {form}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Any JSON, and always valid.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Any access</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Any folder</source>
        <translation>所有文件夹</translation>
    </message>
    <message>
        <source>Any licence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Any model</source>
        <translation>所有模型</translation>
    </message>
    <message>
        <source>Any of the sizes can be downloaded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Any owner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Any place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Any size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Any tag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Any time</source>
        <translation>任何时间</translation>
    </message>
    <message>
        <source>Anyone</source>
        <translation>所有人</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Apr</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>April</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>归档</translation>
    </message>
    <message>
        <source>Archive</source>
        <comment>verb</comment>
        <translation>归档</translation>
    </message>
    <message>
        <source>Archive this chat, or take it out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Archived chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Archived {chats}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Archives ({patterns})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Archive…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Arriving</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As everywhere ({name})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As in other chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As it was</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As numactl says</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As the model likes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As the system likes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asked for the tool “{name}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asking the model…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asking…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asks for an explanation that a beginner understands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asks for consent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asks for the tool {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asks for the tool {name}:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asks the hub once, with the settings as they are here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At a message</source>
        <translation>在消息处</translation>
    </message>
    <message>
        <source>At an unknown time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At least one card must take something.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>At most %n second left|At most %n seconds left</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>At most this many tokens are guessed in one step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attach files</source>
        <translation>添加文件</translation>
    </message>
    <message>
        <source>Attached file {name}:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attached files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attached: {names}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Aug</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>August</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Back to all models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to the search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back up every day</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back up now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backing up…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backup folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backups</source>
        <translation>备份</translation>
    </message>
    <message>
        <source>Backups…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bad file descriptor</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Batch of %n token|Batch of %n tokens</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before a backup was brought back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before an update</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Before the next answer, the message above will be summarised|Before the next answer, the %n messages above will be summarised</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Begin with the preset {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Beside a program that keeps one core busy it writes, in tokens a second: {figures}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Best so far: {trial}, a typical turn in {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Biggest messages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bits per byte</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Brainstorm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Branch after</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Branch after (Alt+Right)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Branch before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Branch before (Alt+Left)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Branch {place} of {all}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Branch {place} of {all}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Branches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Branches of this chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bring back a backup</source>
        <translation>恢复备份</translation>
    </message>
    <message>
        <source>Bring back the deleted chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bring back those that came with Fireside</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bring back {chats}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bring back…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bringing back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bringing back…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Broken pipe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Built for this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CUDA or Vulkan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Call this chat so</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cancel {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel {name} and throw away what is here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelled. Nothing was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot allocate memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot be used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cards</source>
        <translation>卡片</translation>
    </message>
    <message>
        <source>Cards to leave alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Certificates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change the message that waits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change the summary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change this message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change your last message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change your message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changed model properties</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>聊天</translation>
    </message>
    <message>
        <source>Chat above</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chat and writing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chat below</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation>聊天模板</translation>
    </message>
    <message>
        <source>Chat with language models on your own machine.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chat with {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chat with {subject}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>聊天</translation>
    </message>
    <message>
        <source>Chats (*.json *.zip)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chats kept in memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chats kept on disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chats of this session are not kept when Fireside closes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chats that Fireside has exported, and those of ChatGPT, LM Studio, Jan and Open WebUI: a file, a ZIP archive or a folder. Chats that are here already are left as they are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check again what fits this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checked just now: it is what was downloaded, byte for byte.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checking that it is whole</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checking the libraries of “{name}”…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checking what fits this computer…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checking {percent} %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a file by its whole path, or leave it empty for none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a file under “{label}” first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a folder by its whole path, or leave it empty for the usual place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a folder for your data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>选择模型</translation>
    </message>
    <message>
        <source>Choose a model at the top to begin.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a model first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a model to begin</source>
        <translation>选择一个模型开始</translation>
    </message>
    <message>
        <source>Choose a number from {least} to {most}{unit}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a preset on the left, or make one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose at most four models.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose files…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose on or off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose one to four models.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the model</source>
        <translation>选择模型</translation>
    </message>
    <message>
        <source>Choose two to four models, or files of one model. Each is loaded with its own settings and measured for about half a minute.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose what is done with the oldest messages, and your message can be sent.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose: {label}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chooses among the most likely tokens that together reach this probability; 1 turns it off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chooses among this many of the most likely tokens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Chosen by hand, for different computers and tasks. All of them run on this computer alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chosen chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear filters</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>Clear the filters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear what you have written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear, honest answers to everyday questions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click one, or press Return on it: another answer begins with all up to here and that token.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close this notice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close this window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Code reviewer</source>
        <translation>代码审查</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Colours: {levels}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Columns of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comes with Fireside</source>
        <translation>Fireside 自带</translation>
    </message>
    <message>
        <source>Comfortable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Command palette</source>
        <translation>命令面板</translation>
    </message>
    <message>
        <source>Compact</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Compare answers</source>
        <translation>比较回答</translation>
    </message>
    <message>
        <source>Compare answers…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare models…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare two things</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare {{first}} and {{second}} in a table with the rows that matter most, then say in two sentences when I should take which.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compares texts in many languages, also long ones. It does not chat.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comparing the copies: {n_done} of {n_files} files, {done} of {all}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computes with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connection refused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Context beyond training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context on the graphics card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context size</source>
        <translation>上下文长度</translation>
    </message>
    <message>
        <source>Context use: {use}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Context: %n token|Context: %n tokens</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Continue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Continue the last answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Continue this answer</source>
        <translation>继续此回答</translation>
    </message>
    <message>
        <source>Contrast</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Control vectors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied as plain text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as plain text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>复制为文本</translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy code, {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy link address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the last answer</source>
        <translation>复制最后的回答</translation>
    </message>
    <message>
        <source>Copy the path</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the path {path}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the whole message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the whole message as plain text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copying: {n_done} of {n_files} files, {done} of {all}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cores</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Could not be loaded</source>
        <translation>无法加载</translation>
    </message>
    <message>
        <source>Could not be saved: {problem}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Created</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+Enter to finish, Esc to leave it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cut off here: the context is full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cut out its middle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DRY allowed length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DRY base</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DRY breakers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DRY strength</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DRY window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Data folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dec</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>December</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decides what the answers in a chat with this preset must look like. The model cannot write anything else.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decides what the answers in this chat must look like. The model cannot write anything else.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message numerus="yes">
        <source>Delete %n chat|Delete %n chats</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Delete a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete folder, keep its chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete from here on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete its files?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete the files of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete this chat</source>
        <translation>删除此对话</translation>
    </message>
    <message>
        <source>Delete this question and its answer when the card is closed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete “{name}”?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deleted the folder “{name}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Deleted the folder “{name}”. Its chat is back in the list.|Deleted the folder “{name}”. Its %n chats are back in the list.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Deleted {chats}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deleted “{name}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deleted “{title}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Density</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Describes pictures and answers questions about them, on an ordinary laptop.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Describes pictures closely and knows more, for a computer with a good graphics card.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Description</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Device or resource busy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Did not work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Directory not empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Disk quota exceeded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Disk space for coming back to a chat at once, even after a restart; Auto takes 8 GB, or a tenth of the free space if that is less, and Off deletes what is kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Disk use</source>
        <translation>磁盘占用</translation>
    </message>
    <message>
        <source>Disk use by folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Disk use by model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Do not answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Do not keep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Do something, or go to a chat, a model or a setting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Documents, text and images (*.pdf *.docx *.html *.htm *.txt *.md *.csv *.json *.xml *.py *.js *.ts *.c *.cpp *.h *.rs *.go *.java *.log *.png *.jpg *.jpeg *.webp *.gif *.bmp)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>Does not fit: it takes about {total_bytes} of memory, and {free_bytes} are free.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Does not fit: it takes {size} of memory even with a context of {n_ctx} tokens, and {usable} can be used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Does not fit: it takes {size} of memory, and {usable} can be used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Does not fit: it takes {size} on {gpu}, and {usable} can be used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Does not work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>Download it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Download of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Download of {subject}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Download the newer version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Download the newer version of {subject}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Download {subject}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Downloaded from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Downloaded models lie in {folder}. They can be moved to another folder or disk.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Downloading</source>
        <translation>正在下载</translation>
    </message>
    <message>
        <source>Downloads</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>Downloads at a time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Downloads go on where they were.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Downloads this month</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Downloads: {parts}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draft model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag it, or press Alt and an arrow key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draws the screen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Driver</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop to add to your models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop to attach to your message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop to import chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>复制一份</translation>
    </message>
    <message>
        <source>Each comes with the part that lets it see pictures, {size} more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each takes a part of every layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each takes some layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Earlier chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Edited by you</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Embedding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Embeddings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Embeddings: it turns texts into numbers, for searching, and cannot chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Empty means the public one; your access token is sent to this address, so it must be one you trust.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ended because it went in circles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ends an answer that goes in circles.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>English</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter to send it when the answer is done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter to send, Shift+Enter for a new line</source>
        <translation>Enter 发送，Shift+Enter 换行</translation>
    </message>
    <message>
        <source>Estimated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every downloaded model is the newest version.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everyday chat</source>
        <translation>日常聊天</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Everything is saved again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everywhere</source>
        <translation>全局</translation>
    </message>
    <message>
        <source>Example</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Example: {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Excel workbooks cannot be read yet. Save it as CSV and attach that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exec format error</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Experts of %n layer on the processor|Experts of %n layers on the processor</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Experts on the processor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Explain in simple words why the sky is blue.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Explain simply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Explain something</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Explain {{topic}} in simple words, with one example from everyday life.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Explains step by step and asks you back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message numerus="yes">
        <source>Export %n chat…|Export %n chats…</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Export all chats…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export all presets…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export chats</source>
        <translation>导出聊天</translation>
    </message>
    <message>
        <source>Export into a folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export presets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export this chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export this chat…</source>
        <translation>导出此对话…</translation>
    </message>
    <message>
        <source>Export this preset…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export to a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Exported %n chat.|Exported %n chats.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Facts from a text, as JSON that is always valid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Family</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Faster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Faster answers where the next words can be guessed; what is answered stays the same.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Faster; turned off, the context takes the computer’s own memory instead of the card’s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Favourites</source>
        <translation>收藏</translation>
    </message>
    <message>
        <source>Feb</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>February</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fetched and read {done} of {all}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fetches the damaged parts again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fewer bits make the context smaller in memory and answers a little less exact.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fewer make large pictures cheaper and less sharp; for models that see pictures of any size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fewer words or other choices may find more. Only models in the GGUF format are listed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>File exists</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File name too long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File too large</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files and folders that you added to the library where they are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files and pictures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files stay where they are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files that change how the model answers, one a line; they must be made for this very model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files that push how the model answers in a direction, made for this very model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filters</source>
        <translation>筛选</translation>
    </message>
    <message numerus="yes">
        <source>Filters, %n in use|Filters, %n in use</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Find a larger model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find a model</source>
        <translation>查找模型</translation>
    </message>
    <message>
        <source>Find a model by what it takes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find a model that suits this computer, or add GGUF files that you have: drop them anywhere on this window. Files stay where they are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find a model, and it is fetched here while you go on chatting. A download that is interrupted goes on where it was.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find a model…</source>
        <translation>查找模型…</translation>
    </message>
    <message>
        <source>Find a preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find a setting</source>
        <translation>搜索设置</translation>
    </message>
    <message>
        <source>Find a shortcut</source>
        <translation>查找快捷键</translation>
    </message>
    <message>
        <source>Find a tensor by name, type or shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find in the metadata</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find in this chat</source>
        <translation>在此对话中查找</translation>
    </message>
    <message>
        <source>Find models</source>
        <translation>查找模型</translation>
    </message>
    <message>
        <source>Finds bugs, risks and simpler ways</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fingerprint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finish changing it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Fireside cannot write to {path}: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fireside chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fireside could not read it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fireside decides, so that it fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fireside did not fetch it, so nothing says what it must be.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fireside is closing.</source>
        <translation type="unfinished"></translation>
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
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fireside is set to stay offline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fireside is set to stay offline, so nothing was asked of the hub.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fireside is set to stay offline: nothing is asked of the hub, so nothing can be searched or downloaded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fireside keeps its data in {path} from its next start on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Fireside: %n answer is being written|Fireside: %n answers are being written</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Fireside: {models} is loaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>Fits in part</source>
        <translation>部分放得下</translation>
    </message>
    <message>
        <source>Flash attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Flash attention off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Flash attention on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Folders more than {most} levels deep are not looked into.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For a chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For comparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For computers with little memory: short answers and simple texts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For every model and chat that has no setting of its own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For files that say something wrong, one a line as name=int:4; or with float, bool, str.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For larger programming tasks with tools; fast for its size, since only a part of it works at a time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget the oldest and go on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forgets what was changed here and not saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Format of the answers</source>
        <translation>回答格式</translation>
    </message>
    <message>
        <source>Format of the answers: {form}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Format of the answers…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>Free memory is told by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free to download</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frequency penalty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From other programs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From the chat itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From the command line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From the file’s header; the exact figures come from llama.cpp</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From the model</source>
        <translation>来自模型</translation>
    </message>
    <message>
        <source>From this chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From {environment}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>全屏</translation>
    </message>
    <message>
        <source>GPU {n}/{n_layers} layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>General helper</source>
        <translation>通用助手</translation>
    </message>
    <message>
        <source>Getting ready to answer…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Getting ready…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give at most {most} files or folders by their whole paths.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give at most {most} texts, none of them empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give me three ideas for a rainy Sunday at home.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go on with all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go on with {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to this message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Good models to begin with</source>
        <translation>适合入门的模型</translation>
    </message>
    <message>
        <source>Grammar (GBNF)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grammar (Lark)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graphics card</source>
        <translation>显卡</translation>
    </message>
    <message>
        <source>Graphics card unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graphics cards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Green</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Guess ahead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Guessing ahead from the chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Guessing ahead with a draft model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hardware</source>
        <translation>硬件</translation>
    </message>
    <message>
        <source>Has a problem</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Have it answered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hello. What shall we talk about?</source>
        <translation>你好，我们聊点什么？</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Hide the figures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide the sidebar</source>
        <translation>隐藏侧边栏</translation>
    </message>
    <message>
        <source>Hide this note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide this notice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>High</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>High contrast makes texts, edges and the place of the keyboard as clear as they can be.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Higher is more varied, lower more predictable; 0 always takes the most likely word.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hold the model in memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How a model reads a context that is longer than it was trained for; it may answer worse, and YaRN suits most models.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How far back DRY looks for repetitions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How far back the three penalties look for repetitions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How far the comparison is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How far the measurement is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How far the model is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How far the runtime is unpacked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How fast Mirostat corrects itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How fast it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How fast the DRY penalty grows with the length of a repetition.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How finely the model&apos;s numbers are kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How it fits is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How it loads</source>
        <translation>加载方式</translation>
    </message>
    <message>
        <source>How it loads…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How it would be loaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How large the font is, in conversations and panels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How long a model stays loaded after its last answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many conversations one model answers at the same time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many models are fetched at the same time; the others wait their turn.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many numbers the model has</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many processor cores read a prompt; Auto is as many as write the answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many processor cores write an answer; Auto uses all that are fast.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many tokens are computed at once; smaller needs less memory and stops sooner.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many tokens are handed to the model in one step while it reads.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many tokens of conversation the model was trained for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How much of a conversation the model can see at once; a larger context needs more memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How much of the model the graphics card computes; Auto takes as much as its free memory holds.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How much room there is between lines and around buttons.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How often the likeliest tokens are left out, which makes answers more unusual; 0 turns it off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How sharply the temperature range reacts to how sure the model is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How sure the model was</source>
        <translation>模型的把握程度</translation>
    </message>
    <message>
        <source>How surprising the answer should be: lower is more focused.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the model loads…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How they share a model; one alone is best for models that fit on it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How {name} loads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hugging Face cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>If this computer has a graphics card, its driver may be missing, or the build of llama.cpp in use may not know it. A build with Vulkan works with most cards.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Image {number} cannot be shown to the model: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Images, text, code, PDF, Word and web pages are read on this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Import a folder of chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import chats</source>
        <translation>导入聊天</translation>
    </message>
    <message>
        <source>Import chats…</source>
        <translation>导入对话…</translation>
    </message>
    <message>
        <source>Import presets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import presets…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Imported chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In force from tuning: {settings}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In library</source>
        <translation>已在库中</translation>
    </message>
    <message>
        <source>In the list of chats</source>
        <translation>在聊天列表中</translation>
    </message>
    <message>
        <source>In the list of downloads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In use</source>
        <translation>使用中</translation>
    </message>
    <message>
        <source>In use: llama.cpp {version}, with {backends}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In your library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Indigo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Input/output error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Insert it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Instructions that this build of llama.cpp uses</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Integrated graphics</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Invalid argument</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Invalid cross-device link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Is a directory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It begins once no other file is being checked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It belongs to {owner}. It can only be deleted there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It can be loaded smaller: {smaller}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It cannot be kept there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It cannot be larger than the batch size, which is {n_batch} tokens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It cannot be opened: permission denied.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It cannot be opened: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It cannot be set for one conversation alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It cannot be set for one model alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It cannot be shown here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It comes from the environment variable HF_TOKEN.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It comes with Fireside.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It computes wrongly: “{beginning}” went on as “{text}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It contains a NUL character, which cannot be used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It contains a space or another character that no token has. Paste it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It contains half a character, which cannot be used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It could not be saved: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It crashed: {cause}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It did not come through Fireside. A check reads it whole and remembers its fingerprint.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It differs from what was downloaded. “Repair” fetches only those again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It failed its test: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It finds nothing to compute with, not even the processor.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It gave no answer within {seconds} seconds.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It goes on by itself as soon as it can.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It has not been tested yet. Test it first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It holds more than {most} files; the rest was left out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It holds no model files that Fireside can use.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It holds several models: choose the one that you want.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is a very small model: quick, and often wrong.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is in use. Use another one first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is kept in a file in Fireside&apos;s own folder, not encrypted; only your own account can read it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is kept in your system&apos;s keyring.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is kept until Fireside closes: this system has no keyring.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is not a file that can be opened.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is not a file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is not a model that chats.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is not there. If it is on another drive, connect that drive.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is one of {count} parts of a model and was renamed. Give the parts their own names back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is part of Fireside and stays.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is read from the beginning of a file, which needs the consent above.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is still being copied.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is to be done with a draft model, and none is chosen. Choose its file ({draft}), or turn this off ({speculation}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is too long to be a token.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It judges which of several texts fits a question best. It cannot chat.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It runs on this computer; nothing you write leaves it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It says how a conversation is written for it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It sees pictures.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It sees them, with {projector_path}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It takes {size}, as predicted; loading took {seconds} s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It takes {size}, {difference} less than predicted; loading took {seconds} s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It takes {size}, {difference} more than predicted; loading took {seconds} s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It takes {size}; loading took {seconds} s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It takes {tokens}, and the model’s context holds {size}. Give the model a larger context, or attach a part of the file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It took too long.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It turns texts into numbers, for finding what is alike. It cannot chat.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was compared with the hub’s fingerprint when it was downloaded on {day}, and not changed since.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was compared with the hub’s fingerprint when it was downloaded, and not changed since.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was damaged and is whole again: {fetched} were fetched anew.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was measured on another computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was measured with another build of llama.cpp.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was measured with another graphics driver.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was read whole without an error. There is nothing to compare it with.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its encoding is not known; it was read as Western European text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its files do not say what they are, so nothing can be said about them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its header cannot be read, so it cannot be loaded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its name is not valid text. Rename it to use it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its own name: {own}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its process does nothing just now. Wait, or cancel it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON Schema</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON by a schema</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON extractor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON with exactly the fields that a JSON Schema describes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Jan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>January</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Jul</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>July</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Jump to the latest message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Jun</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>June</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep all of a sliding window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep as it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep it in a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep models in memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep the access token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep the answer of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep these settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep this</source>
        <translation>保留这个</translation>
    </message>
    <message>
        <source>Keep token probabilities</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keeps a checked copy of all conversations: of the last seven days, and of four weeks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keeps the model from repeating whole sequences of words; 0 turns it off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keeps these settings for this model without loading it now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kept free for the answer</source>
        <translation>为回答预留</translation>
    </message>
    <message>
        <source>Key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Keys of your own, one “command=keys” a line; the list of shortcuts in the window writes them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Last one: {when}; one backup is kept.|Last one: {when}; %n backups are kept.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Last used</source>
        <translation>上次使用</translation>
    </message>
    <message>
        <source>Layers of the control vectors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layers on the GPU</source>
        <translation>GPU 上的层</translation>
    </message>
    <message>
        <source>Least tokens of a picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave out the oldest messages</source>
        <translation>省略最早的消息</translation>
    </message>
    <message>
        <source>Leaves out tokens further than this many standard deviations below the best; 0 turns it off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leaves out tokens less likely than this share of the most likely one; 0 turns it off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let answers be free text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Letting the starter model answer with “{name}”. This may take a minute…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Library</source>
        <translation>模型库</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>Licence page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Licences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Light or dark, or whatever your system uses at the moment.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Like the key cache; 8 bits or fewer need flash attention.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Like the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Likes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Linear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lists the models of LM Studio, Ollama, Jan and others where they are, and never changes them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lives in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load</source>
        <translation>加载</translation>
    </message>
    <message>
        <source>Load anyway</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load smaller and answer again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load the model</source>
        <translation>加载模型</translation>
    </message>
    <message>
        <source>Load with these</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loaded</source>
        <translation>已加载</translation>
    </message>
    <message>
        <source>Loaded models take memory and cores, so what is measured beside them is rough. Loaded now: {models}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loaded otherwise than its settings say, this time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading it smaller: {smaller}…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading the model… its process does nothing just now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading the model… {percent}%</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading {model} came to a standstill for {waited_s} seconds and was stopped. Is its disk still there? If it is only slow, allow a longer standstill in the settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading {percent} %</source>
        <translation>加载中 {percent} %</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loads faster and shares memory between programs; turn it off for files on a network drive.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Long text, {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Long text, {size} in %n line|Long text, {size} in %n lines</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Longest answer</source>
        <translation>最长回答</translation>
    </message>
    <message>
        <source>Longest thinking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look for new files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look for newer versions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking at it…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking at this computer…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking at {name}…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for more…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for one…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looks the same, in {place}, takes no further space</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looks the same, in {place}, {size} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Low</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MMMM yyyy</source>
        <comment>the pattern of a date, as Qt has it</comment>
        <translation>yyyy年M月</translation>
    </message>
    <message>
        <source>Made by itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Made by you</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Made for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Made from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Main graphics card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Makes single tokens of this model likelier or rarer; one a line, as its number and a bias.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Making room for the context…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Making room for the model…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Many at once, so that answers go on beginning quickly.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Many different ideas, quickly</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Map the file into memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>March</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mark as favourite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Match upper and lower case</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>May</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure beside them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured {when} on {processor}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measuring {name}: {number} of {total}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measuring: {trial}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measuring: {trial}. Memory: {planned}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Medium</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Memory may run short. It could be loaded smaller: {words}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory that each model may use to come back to a chat at once, at most half of what is free; Auto takes 8 GB, or a quarter of your memory if that is less.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory: {free} available of {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Message above</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Message below</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Message {name}</source>
        <translation>给 {name} 发消息</translation>
    </message>
    <message>
        <source>Message {place} of {all}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Messages that wait to be sent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Micro-batch size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Min P</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mirostat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mirostat rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mirostat target</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Missing: {parts}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Model files (*.gguf)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model of answer {number}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model of new conversations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model: none chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model: {name}. {state}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Models found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models in memory at once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models of other applications</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models run with “{name}” from their next answer on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More about how words are chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More about loading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More can help a model to read small print; for models that see pictures of any size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More for this model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More memory for models with sliding windows; an earlier message can then be changed without reading much again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More settings</source>
        <translation>更多设置</translation>
    </message>
    <message>
        <source>More values for the chat template, as a JSON object.</source>
        <translation>传给聊天模板的更多值，写成 JSON 对象。</translation>
    </message>
    <message>
        <source>Most downloaded</source>
        <translation>下载最多</translation>
    </message>
    <message>
        <source>Most liked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Most memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Most tokens of a picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move it there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move the library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move the library to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move the library…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move to</source>
        <translation>移动到</translation>
    </message>
    <message>
        <source>Move to a folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move to the end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move to the top</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move to the trash</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move “{title}” in the queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moved {chats} back to the list.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moved {chats} to “{folder}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NVIDIA’s driver</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Names of graphics cards that take nothing of the model, one a line.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Needs a reload</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Needs a reload, about {seconds} s. {chats}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Needs a reload. {chats}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Never</source>
        <translation>从未</translation>
    </message>
    <message>
        <source>Never end by itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>New chat from here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New folder</source>
        <translation>新建文件夹</translation>
    </message>
    <message>
        <source>New folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New line</source>
        <translation>换行</translation>
    </message>
    <message>
        <source>New name of the chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New name of the folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New name of the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New preset</source>
        <translation>新建预设</translation>
    </message>
    <message>
        <source>New window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Newer version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Newest</source>
        <translation>最新</translation>
    </message>
    <message>
        <source>Next in line…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next one (Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No answer here has a seed yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No changes are listed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No chat has these words.</source>
        <translation>没有聊天包含这些词。</translation>
    </message>
    <message>
        <source>No colour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No example can be made: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No graphics card for models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No graphics card was found that models can use, so they run on the processor. Small models are quick there, and larger ones work as far as memory goes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No guessing ahead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No longer a favourite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No longer than trained</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model has these words in its name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No models yet</source>
        <translation>还没有模型</translation>
    </message>
    <message>
        <source>No other one was used before, so nothing is undone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No presets added.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No setting has these words.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No settings of a tuning are kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No space left on device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No such device or address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No such file or directory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>None in the file; a common form is used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None is kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None of its sizes fits this computer. {fit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Normal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not a directory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not added. {reasons}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not checked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not faster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not loaded</source>
        <translation>未加载</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not said</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not tested</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Noted while the answer was written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Notes how likely each token was while an answer is written, so that you need not wait for it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing faster was found, so there is nothing to keep.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>没有找到</translation>
    </message>
    <message>
        <source>Nothing found for “{subject}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing has arrived for a while</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing has these letters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing has these words with these filters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing here passes all filters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is asked of the hub and nothing is fetched; chatting needs no connection anyway.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is asked of the hub. The models you have work as always.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is being downloaded</source>
        <translation>没有正在下载的内容</translation>
    </message>
    <message>
        <source>Nothing is deleted: you can read, search and export all of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is sent that does not fit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing new was imported.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing so far. Older chats are still being read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was faster than the settings as they are by more than the noise.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was imported from {path}: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nov</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>November</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Now: {condition}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Numbers in the order of the adapters, with commas between them; 1 is full strength.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Numbers in their order, with commas between them; 1 is full strength.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Numbers such as 0-7, 12; the model leaves the others alone, except on macOS.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Oct</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>October</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of a model made of experts, those of so many layers stay off the graphics card; Auto leaves as few as there is no room for.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>Offer it where a new chat begins</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Older</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ollama adds an adapter (LoRA) to this model. Fireside would run it without.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On</source>
        <comment>this day</comment>
        <translation>开</translation>
    </message>
    <message>
        <source>On</source>
        <translation>开</translation>
    </message>
    <message>
        <source>On Linux computers with more than one processor: where the model’s threads run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On Linux, how often a waiting thread looks for work before it lets go of its core; more can be faster while nothing else runs, and is much slower beside busy programs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On the first node used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On the processor</source>
        <translation>在处理器上</translation>
    </message>
    <message>
        <source>One a line</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>One damaged message could not be read; a note stands in place.|%n damaged messages could not be read; a note stands in place.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>One model has a newer version.|%n models have a newer version.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>One more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One more is loaded only after another has made room: an idle one first, then the one that would be unloaded soonest.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One of four</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One short sentence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only for models that are private or ask you to accept a licence. You make one in your account on the hub; one that may only read is enough.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only for the chat “{title}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only for {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only its first {n} characters are attached.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only the archive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only the first {n_read} of its {n_pages} pages were read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open in Fireside</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open in a new window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open on the hub</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the licence page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the page on which the licence is accepted: {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open this page?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open {url}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>OpenDocument files cannot be read yet. Save it as DOCX or PDF and attach that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operation not permitted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Orange</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Order and folders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Order, size, licence, access, owner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other programs</source>
        <translation>其他程序</translation>
    </message>
    <message>
        <source>Other programs and models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other programs and the system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other programs have taken {size} of the computer’s memory since the model was loaded. It may become slow; loaded smaller, it leaves them room.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other programs have taken {size} of {device} since the model was loaded. It may become slow; loaded smaller, it leaves them room.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other programs used {load} of the processor, so these figures are rough.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other settings…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Out of the folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Over 80B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Over all nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>Owner of the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Page {page} could not be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parallel answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parallel answers share one context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Part {missing} of {count} is missing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Part {number} does not belong to the other parts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Part {number} is another part by its content. The parts were mixed up.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Partly on the graphics card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parts {most} and {last} of {count} are missing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paste a token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pasted image.png</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Patience of waiting threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Patience with slow disks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Patient tutor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause all</source>
        <translation>全部暂停</translation>
    </message>
    <message>
        <source>Pause {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Paused at {percent}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Perplexity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>置顶</translation>
    </message>
    <message>
        <source>Pin or unpin this chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pin this message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pinned. {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Place of single tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan ahead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Planned memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Popular now</source>
        <translation>当前热门</translation>
    </message>
    <message>
        <source>PowerPoint files cannot be read yet. Save it as PDF and attach that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Precision of the context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prefers tokens that are about as surprising as usual; 1 turns it off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preparing to move to {folder}…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Presence penalty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preset “{preset}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Presets (*.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Presets and commands</source>
        <translation>预设与命令</translation>
    </message>
    <message numerus="yes">
        <source>Presets and commands, %n line|Presets and commands, %n lines</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Presets…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Press a key’s button to choose another one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Press it and then the new keys. Escape leaves it as it is, Backspace takes the keys away.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Press the new keys…</source>
        <translation>按下新的按键…</translation>
    </message>
    <message>
        <source>Previous 30 days</source>
        <translation>过去 30 天</translation>
    </message>
    <message>
        <source>Previous 7 days</source>
        <translation>过去 7 天</translation>
    </message>
    <message>
        <source>Previous one (Shift+Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Private</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Probabilities</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Problems:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>Processor features in use: {names}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Processor threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Processor: {name}, {cores}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Processors to use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress of loading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress of the check</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress of the move</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prompts are computed there also for layers in the computer’s memory; turn it off where the way to the card is slow.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Proxy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Purple</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put back</source>
        <translation>还原</translation>
    </message>
    <message>
        <source>Quick answers, summaries and rewriting on an ordinary laptop.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quick question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quick question…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Quit now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RTF files cannot be read yet. Save it as DOCX or PDF and attach that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Random</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Random again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Random seed again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reached the token limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read aloud</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read the licence: {words}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read whole</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read with the graphics card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read {done} of {all}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read-only file system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Reading the conversation… {done} of %n token|Reading the conversation… {done} of %n tokens</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Reading the file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the model… {percent} %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reads documents, tables, diagrams and handwriting in pictures.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation>推理</translation>
    </message>
    <message>
        <source>Reckoned with a conversation of {count} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Red</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reload</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reload anyway</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reload now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reload smaller</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reload with these</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove the access token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the file that cannot be attached first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the tag {tag}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove this text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove: {label}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Rename this chat</source>
        <translation>重命名此对话</translation>
    </message>
    <message>
        <source>Repair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repair the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repairing {percent} %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repeat penalty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repeat window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repetitions are not counted across these texts; one a line, \n is a line break.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repetitions up to this length cost nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace all chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reports how likely each token was, and so many alternatives.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reranking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reranking: it compares texts, for searching, and cannot chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation>全部重置</translation>
    </message>
    <message>
        <source>Reset: {label}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset: {words}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resource temporarily unavailable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume: {subject}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rewrite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RoPE base</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RoPE scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Roll back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Roll back to “{previous}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Room for the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rose</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rule of the format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs on the processor, as was chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs on the processor, in the memory that is free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs on the processor, since {gpu} has no room for a layer of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs on the processor, since {gpu} have no room for a layer of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs on the processor; about {in_host} of memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs on {gpu}, with the experts of {n} of {n_all} layers on the processor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs on {gpu}, with the experts of {n} of {n_all} layers on the processor, since {gpu} has no room for more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs on {gpu}, with the experts of {n} of {n_all} layers on the processor, since {gpu} have no room for more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs partly on the graphics card, {n_gpu_layers} of {n_layers} layers; about {on_gpus} there and {in_host} of the computer’s memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs wholly on the graphics card; about {on_gpus} of its memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs wholly on {gpu}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runtime</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runtimes</source>
        <translation>运行时</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save code as, {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save for this model</source>
        <translation>为此模型保存</translation>
    </message>
    <message>
        <source>Save the code as</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the prompt as</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save this chat’s settings as a preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scroll together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search and compare texts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search chats</source>
        <translation>搜索聊天</translation>
    </message>
    <message>
        <source>Search the hub</source>
        <translation>搜索模型中心</translation>
    </message>
    <message>
        <source>Search the hub, or paste an address or a name like owner/model:Q4_K_M</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search your models</source>
        <translation>搜索你的模型</translation>
    </message>
    <message>
        <source>Search your models by name, tag, family or precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See what is popular on the hub</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See what takes room</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seed {seed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seed {seed} is used again in this chat.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seed {seed}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sees pictures</source>
        <translation>能看图</translation>
    </message>
    <message>
        <source>Sees pictures with it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Send (Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send when the answer is done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send when the answer is done (Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send: {prompt}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sent when the answer is done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>September</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set the access token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Settings before the preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings of the preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings of this chat</source>
        <translation>此对话的设置</translation>
    </message>
    <message>
        <source>Settings of this model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings › {group}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Several at once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Several graphics cards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Several memory nodes (NUMA)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share</source>
        <comment>a part of the whole</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of each graphics card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shorten the last message, or give the model a larger context.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shorten your message, or give the model a larger context.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Show %n more|Show %n more</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Show Fireside</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all branches of this chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all branches…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show as</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>Show in the library: {subject}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show less</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>Show less of your message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show more</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Show more (%n character)|Show more (%n characters)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Show more of your message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show or hide the sidebar</source>
        <translation>显示或隐藏侧边栏</translation>
    </message>
    <message>
        <source>Show side by side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the answers side by side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the download of {subject}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the figures, in bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the rest</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Show the rest (%n character)|Show the rest (%n characters)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Show the rest of the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the sidebar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show this branch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show where tokens end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show {name} in its folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows how the model loads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows or hides settings of “{group}” that few people need</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows or hides what the model thought before it answered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Size of the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sizes</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Small and sober: summaries, questions about a text, and pulling facts out of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Small computers</source>
        <translation>小型电脑</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Some had to be read again: an earlier message was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Some had to be read again: another model read this chat before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Some had to be read again: old messages were left out to make room.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Some had to be read again: the model is not shown what it thought for earlier answers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Some had to be read again: the model was loaded with other settings before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Some had to be read again: the room was needed for other chats.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Some had to be read again: this model only remembers the latest part of what it read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Some had to be read again: what had been kept could not be used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something is being measured already. Wait for it, or cancel it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something went wrong inside Fireside ({kind}). Your conversation is safe.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sort by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sorted ascending; turn round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sorted descending; turn round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speed limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speeds are tokens a second. Perplexity says among how many tokens a model wavers on a text that each reads here; lower is better. It compares files of one model. Bits per byte compares any models.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speeds as bars</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stale file handle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stay in the tray when closed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stay offline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stays in memory</source>
        <translation>保留在内存中</translation>
    </message>
    <message>
        <source>Steers how surprising the answer is as it is written, in place of Top K, Top P and their like.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop and ask me</source>
        <translation>停止并询问我</translation>
    </message>
    <message>
        <source>Stop endless repetition</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop loading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop loading {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop reading aloud</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop texts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation>停止回答</translation>
    </message>
    <message>
        <source>Stop the check</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped by you</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped unexpectedly</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped. Files that were whole already stay.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped. What has come in stays.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping. What is being read is read to its end first, such as a picture…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stops loading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stops loading the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Strength of the adapters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Strength of the control vectors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Strong at explanations, mathematics and science for its size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Suggested</source>
        <translation>推荐</translation>
    </message>
    <message>
        <source>Summarise</source>
        <translation>总结</translation>
    </message>
    <message>
        <source>Summarise the oldest messages</source>
        <translation>总结最早的消息</translation>
    </message>
    <message numerus="yes">
        <source>Summarising %n earlier message… {percent}%|Summarising %n earlier messages… {percent}%</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Summary of earlier messages</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Summary of the first message, edited by you|Summary of %n earlier messages, edited by you</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Summary of the first message|Summary of %n earlier messages</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Surprisingly able for its size, and remembers very long conversations.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>系统提示词</translation>
    </message>
    <message>
        <source>System prompt and template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>System prompt of this chat</source>
        <translation>此对话的系统提示词</translation>
    </message>
    <message>
        <source>System prompt of this chat…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>System: {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Tag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tags</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take a file away, shorten your message, or give the model a larger context.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take answer {number} out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take off the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take off the list: {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take off the list…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take out of the archive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the finished downloads off the list; the models stay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the preset away from this chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take them back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take this answer out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take this folder off the list?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take this message back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take “{name}” off the list?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes effect when Fireside is started again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes effect when the model is loaded again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Teal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tell when an answer is done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Temperature curve</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Temperature range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Template arguments</source>
        <translation>模板参数</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors by type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Test the connection to the hub</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tested</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Testing “{name}”…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text fields need these keys.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text file busy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text of the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>文字大小</translation>
    </message>
    <message>
        <source>Text to insert</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>That text has %n character, and a message can hold {most}. Nothing was added; the text is still on your clipboard.|That text has %n characters, and a message can hold {most}. Nothing was added; the text is still on your clipboard.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The NVIDIA driver is installed, but not running. Restarting the computer may help.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The NVIDIA driver was updated while it was running. Restart the computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer failed. {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer follows a grammar in llama.cpp’s notation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer follows a grammar in the Lark notation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer in “{title}” is done.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer was interrupted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer&apos;s own tokens were not kept. Its text was cut into tokens anew, which may not be the way in which it was written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The backup is in its place. Start Fireside again to see its chats.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The base frequency of positions; 0 is the model’s own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>The best of %n message|The best of %n messages</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The best quality that fits in memory: {quant}. {fit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The best quality that fits wholly on the graphics card: {quant}. {fit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The build of llama.cpp that computes this model; those that passed their test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chat as you see it, as text that any editor opens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chat as you see it, in one file that any browser shows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chat as you see it, on numbered pages.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chat’s own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The colour of buttons, marks and your own messages.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The conversation database is damaged ({reason}). It was left untouched: {path}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>The conversation is longer than the model’s context of %n token.|The conversation is longer than the model’s context of %n tokens.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
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
        <source>The disk is full.</source>
        <translation>磁盘已满。</translation>
    </message>
    <message>
        <source>The disk is full. It goes on as soon as there is room.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The disk is full. What you see is kept in memory and saved as soon as there is room.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The disk reported an error.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The display “{display}” does not answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The download of {name} did not work.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The download of {name} is cancelled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The draft of this chat was changed in another window. The one typed last is kept.</source>
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
        <source>The file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file could not be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file has changed on the hub, so it is fetched from its beginning.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file has no chat template. The one of {fallback} stands in for it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file has no template. A common form is used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file is damaged. It can be repaired.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file names none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file or its folder cannot be opened.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file or its folder is read-only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file that this link points to is not there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file was moved or deleted while Fireside was running.</source>
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
    <message numerus="yes">
        <source>The folder {folder} is no longer listed, with its model. Its files stay.|The folder {folder} is no longer listed, with all %n models in it. Its files stay.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The format that you chose needs a schema, a regular expression or a grammar.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The gist of a text or a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The graphics card stopped answering, so this model runs on the processor for now. Load it again to use the card.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The hardware report is copied.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The hub does not accept your access token. It may have expired: make a new one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The hub does not allow you to read “{what}”. Your access token may lack the right to: make one that may read, and put it into the settings.</source>
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
        <source>The image that the model is shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The last answer came at {pace} tokens a second instead of {usual}. Other programs may need the memory or the processor; loaded smaller, the model leaves them room.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The last answer is copied.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The last good ones are back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The latest load</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The layers that they change, such as 10-20; empty is all.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The library is being moved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>The library lies in {folder} now: %n file, {size}.|The library lies in {folder} now: %n files, {size}.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
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
        <source>The message and what followed it are deleted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model</source>
        <translation>模型</translation>
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
        <source>The model goes on until the longest answer or the end of the context is reached.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model has room for {now} tokens now; when it answered, it had {then}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model is not loaded. It words the prompt itself and must be loaded for that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model is still answering in this chat. Stop it first, or wait until it is done.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>The model no longer sees the first message after those that are summarised: the conversation is longer than its context.|The model no longer sees the first %n messages after those that are summarised: the conversation is longer than its context.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The model no longer sees the first message: the conversation is longer than its context.|The model no longer sees the first %n messages: the conversation is longer than its context.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The model no longer sees the message above|The model no longer sees the %n messages above</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The model reads its answer once more…</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>The model sees a summary of the message above|The model sees a summary of the %n messages above</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The model that a new conversation starts with; empty means the one that comes with Fireside.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model that comes with Fireside is not there, so nothing can be asked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model took {size} more of the computer’s memory than was predicted. Loaded smaller, it leaves room again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model took {size} more of {device} than was predicted. Loaded smaller, it leaves room again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model writes a summary first; you can see and change it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model writes as it likes.</source>
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
        <source>The model’s context is {percent}% full.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model’s file has changed since it was measured.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model’s own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model’s own name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The most that all downloads together take of your connection, in kilobytes a second.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The move was cancelled. Everything is where it was.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The name of the card that is used alone, or takes what cannot be split; empty is the first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The newer version is in the queue.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The only chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The preset at place {place} cannot be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The preset of this chat. Click to choose another.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The preset that a conversation has; empty for none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The preset’s model is not here: {model_id}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The process that runs models could not be started: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The prompt could not be saved: {problem}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The runtime</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The runtime that computes the model; the page “Hardware” lists those that there are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same card as {name}, listed a second time: it is used once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same content in {place}, takes no further space</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same content in {place}, {size} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same question is answered in columns side by side. Models that do not fit into memory together take turns. All answers stay; keep the one that you like in front.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same question with the same settings gets the same answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same seed with the same settings gives the same answer; Random draws a new one each time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The schema, regular expression or grammar; free text and plain JSON need none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The search did not work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The setting “{name}” cannot be used: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The settings as they are</source>
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
        <source>The settings have changed since. This is the prompt of then, not of a new answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The settings of this answer were not kept. This is the prompt that those of now make.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The starter model answered with it on {devices}, at {speed} tokens a second.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The starter model answered with it on {devices}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The system does not allow it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The system never moves it to the disk; there must be room for all of it.</source>
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
        <source>The temperature moves by up to this much, lower where the model is sure; 0 turns it off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>The text that the model is given, %n character. The first {shown} are shown here.|The text that the model is given, %n characters. The first {shown} are shown here.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The text that the model is given.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The usual place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The value cache has 8 bits or fewer and needs it. Set the value cache to 16 or 32 bits first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The way there is not encrypted: others on the network can read the token.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The whole answer fits a pattern, for numbers, codes or choices.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>There are at most {most} cards.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no chats in it that Fireside knows how to read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no model files (.gguf) in this repository.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no models yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no tokens in this answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no backup yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no display here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no model called “{name}” in your library.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no model called “{name}” in your library. Do you mean “{near}”?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no model file (.gguf) in it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no model to measure yet. Find one under Discover.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no model yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no room on the disk for {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no runtime called “{name}”. Choose one that the page “Hardware” or “fireside runtime list” names.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no setting of this name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no setting of this name. Do you mean “{key}”?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no such file: {path}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no such folder: {path}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no text in it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no text in it: its pages are pictures, as from a scanner.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no text in it; the model is told so.</source>
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
        <source>There is nothing new in it: its models are listed already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is nothing to move: no model has been downloaded yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>There was no time for %n more trial.|There was no time for %n more trials.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>There was no time to measure that twice.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These conversations were written by a newer Fireside. Update the program to open them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These hold for this answer alone. It stands beside the others, and none is lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These models were loaded meanwhile: {models}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These old files could not be removed: {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>They are all there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>Thinking…</source>
        <translation>正在思考…</translation>
    </message>
    <message>
        <source>Thinking… {duration}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thinks before it answers, and is fast for its size, since only a part of it works at a time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This answer was interrupted. What had arrived is kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This backup cannot be brought back, and nothing was changed ({reason}): {path}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This chat</source>
        <translation>此聊天</translation>
    </message>
    <message>
        <source>This chat has a system prompt of its own. Click to change it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>This chat has one branch.|This chat has %n branches. Arrow keys go through them, Return shows one.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>This chat in a new window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This computer’s memory</source>
        <translation>本机内存</translation>
    </message>
    <message>
        <source>This does not fit into the model’s context</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>This does not fit: it needs %n token, and the context holds {size}.|This does not fit: it needs %n tokens, and the context holds {size}.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>This download is no longer there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This grammar can be used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This grammar cannot be used yet. {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is a new chat with all that was said up to there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is not a usable model file: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This kind of model (“{kind}”) is not known to the llama.cpp in use. A newer one may know it: it can be added on the page “Hardware”. Until then, choose another model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This list of tags</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This message cannot be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This message is damaged on the disk and cannot be shown. The others are not affected.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This message is damaged on the disk and could not be read.</source>
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
        <source>This model</source>
        <translation>此模型</translation>
    </message>
    <message>
        <source>This model cannot be shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This model cannot see images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This model cannot see images.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This model cannot see images. Remove the image, or choose a model that can.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This model file could not be removed: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This model has not been tuned yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This model is for {is_for} and cannot {wanted}. Choose another model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This pattern can be used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This pattern cannot be used yet. {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This preset cannot be kept: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This schema can be used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This schema cannot be used yet. {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This session keeps nothing, so there is nothing to back up.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This system has no keyring, so the token is kept until Fireside closes. It can be kept for longer in a file that is not encrypted, and that only your own account can read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This system has no safe place for passwords that Fireside can use: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This tag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This text cannot be sent: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This time only: the model’s settings stay as they are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This was begun in a window that is closed, and not sent.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This {kind} cannot be used for the answer: {reason} Correct it, or choose another answer format.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This {what} is no longer there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Those that are pressed are used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thought</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thought for a moment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thought for {duration}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thought for {seconds} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thought, and wrote no answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thoughts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threads for reading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Three bullet points</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Throw away</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Throw away the {arrived} that are here?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Titles by the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>To make room, %n token of the older part was cut out of what the model sees.|To make room, %n tokens of the older part were cut out of what the model sees.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>Together with Ctrl or Alt, or a function key: else it could not be typed any more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token biases</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token probabilities</source>
        <translation>词元概率</translation>
    </message>
    <message>
        <source>Tokens guessed ahead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens of the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens of the context that are kept free for the answer; at most a quarter of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Too long for this model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Too many levels of symbolic links</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Too many open files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tool</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top K</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top P</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top n-sigma</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trained context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trained for {context} tokens ({n_ctx_train})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Translates whatever you write</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Translator</source>
        <translation>翻译</translation>
    </message>
    <message>
        <source>Transport endpoint is not connected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tries threads, batches, attention and more with this model on this computer, and finds what is fastest. It takes less than two minutes; nothing is changed before you keep it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Try again to find more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again: {subject}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tune</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tune again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turn the order round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turns English texts into numbers that can be compared; small and quick. It does not chat.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Typical P</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Typical turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Unload</source>
        <translation>卸载</translation>
    </message>
    <message>
        <source>Unload and measure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unload at once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unload {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unloaded to give back {size} of memory that it no longer needed. The next message loads it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unloading</source>
        <translation>卸载中</translation>
    </message>
    <message>
        <source>Unloading ends the answers of {models}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unnamed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unpacking “{name}”…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消置顶</translation>
    </message>
    <message>
        <source>Unpin this message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Until the context is full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Up to 3B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Update</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Updated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>Use in chat</source>
        <translation>用于聊天</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>Use it in this chat</source>
        <translation>在此对话中使用</translation>
    </message>
    <message>
        <source>Use one alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the last answer’s seed again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the system prompt of other chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use them here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use this answer’s seed again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use this model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use this seed in this chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use {words}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Usual text size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Usual value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Usual value of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Verdict and reason</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Verified</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Version 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Version 2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Version {version}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for another model to finish…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for its turn</source>
        <translation>排队中</translation>
    </message>
    <message numerus="yes">
        <source>Waiting for one other answer to finish…|Waiting for %n other answers to finish…</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Waiting for space on the disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for the network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for {model} to finish…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for {model}, which does nothing just now while it loads…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting threads let go at once</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Waiting threads look %n time|Waiting threads look %n times</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Waiting while another model loads…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting while {model} is measured…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting while {model} loads…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waits to be sent: {text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Web page</source>
        <translation>网页</translation>
    </message>
    <message>
        <source>What Fireside speaks; models answer in whatever language you write to them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What an answer must look like; the model cannot write anything else.</source>
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
        <source>What can be changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What comes back when the preset is removed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What could not be imported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What else there might have been</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What fills the context</source>
        <translation>上下文占用</translation>
    </message>
    <message>
        <source>What fits this computer could not be checked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What happens when a conversation no longer fits into the context.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What happens when an answer reaches the end of the context.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is new</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What its owner says about it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What looked faster was not when it was measured again, so the settings stay as they are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What positions are multiplied by, a quarter for four times the context; 0 is chosen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the model is told before the conversation begins: who it is and how it should answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the model is told first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the model may take of the computer’s memory, for which it is then fitted; macOS does not hold it to that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the model saw</source>
        <translation>模型看到的内容</translation>
    </message>
    <message>
        <source>What the model thought</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the other application sets for it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What you are writing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What you asked for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When a chat is too long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When a chat no longer fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When it was written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When nothing more fits, its middle will be cut out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When nothing more fits, the oldest messages will be left out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When nothing more fits, the oldest messages will be summarised.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When nothing more fits, you will be asked what to do.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When the answer was last worked on, the model read {read} tokens, and not {expected}: something of it was different.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When the context fills up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When this chat no longer fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Where backups are kept; empty means beside the conversations, and another disk is safer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where conversations and logs are kept; what is in the old folder stays there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where downloads go</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where the file lives</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where the library looks for models and puts new ones.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether the file is what was downloaded, byte for byte</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether the model thinks before it answers, if it can; more thinking takes longer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether there is a graphics card that models can use could not be found out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which build of llama.cpp is in use could not be found out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which settings of a conversation its preset wrote.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who wrote it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whole context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whole words only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wholly on the graphics card</source>
        <translation>全部在显卡上</translation>
    </message>
    <message>
        <source>With 8 bits or fewer it needs flash attention. Set flash attention to Auto or On first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With a draft model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With the archive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without the archive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Word</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Words to look for, or the address or the whole name of a model. Arrow down goes to the results.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Working it out…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Working…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Works through mathematics and logic step by step, and shows its steps.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wrap long lines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wrap long lines, {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write a JSON object, such as {&quot;enable_thinking&quot;: false}.</source>
        <translation>请输入 JSON 对象，例如 {&quot;enable_thinking&quot;: false}。</translation>
    </message>
    <message>
        <source>Write a message</source>
        <translation>写消息</translation>
    </message>
    <message>
        <source>Write a message first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write a rule, or begin with an example.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write a short, friendly note to thank a neighbour for watering my plants.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write a short, polite reply to the e-mail below. What I want to say: {{answer}}

E-mail:
{{e-mail}}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write a text of at most {most} characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write it as {key}=value.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write one line of at most {most} characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write to this address?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write with me</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write {{name}} for what changes each time. {{date}}, {{time}}, {{language}} and {{model}} are filled in by themselves.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes, completes and explains code in many programming languages.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Writing the summary again…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation>正在书写…</translation>
    </message>
    <message numerus="yes">
        <source>Writing… %n token|Writing… %n tokens</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Wrote no answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>XTC only leaves out tokens that are more likely than this.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>XTC probability</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>XTC threshold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>YaRN</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Yellow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Yes or no</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>昨天</translation>
    </message>
    <message>
        <source>You</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You are a friendly and careful assistant. Today is {{date}}.
Answer the question first, in plain words and short paragraphs. Add an example where it helps.
If you are not sure, say so. If the question can mean several things, ask one short question.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You are a patient teacher of {{subject}}. Explain one idea at a time, in simple words, with a small example.
After each step ask one short question to see whether it was understood, and wait for the answer. Correct mistakes kindly and say why.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You are a translator. Translate every message into {{target language}}.
Write the translation and nothing else: no notes, no quotation marks, no answer to what it says.
Keep the tone, the line breaks, names, numbers and code as they are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You help to find ideas. For every topic write a numbered list of eight ideas that differ from each other: some obvious, some bold, one strange.
One line each: the idea, then why it could work. End with the one that you would try first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You improve texts. Rewrite every message so that it is clear, correct and {{tone}}.
Keep the meaning, the facts, the names and the language of the original. Write the new text and nothing else.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You read texts and take facts out of them. Answer with one JSON object.
Use only what the text says. Where it does not say something, write &quot;&quot; or [].</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You review code like an experienced colleague.
First list real bugs and security problems: name the line or function, say what goes wrong and when, and show the corrected code in a code block.
Then, only if it is worth it, say what would be simpler or easier to read.
Do not praise, do not repeat the code, do not invent problems. If it is fine, say so in one sentence.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You said: {words}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You summarise texts. For every text you are given, write one sentence with the main point, then {{length}} with what matters most.
Use only what the text says. Keep names, numbers and dates exact. Write in the language of the text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You: </source>
        <translation>你：</translation>
    </message>
    <message>
        <source>Your access token is sent to {host} instead of the public hub, so it must be one you trust.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your browser will open a page at:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your chats appear here.</source>
        <translation>你的聊天会显示在这里。</translation>
    </message>
    <message>
        <source>Your chats stay, and what was read of them comes back at once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your chats stay; each is read anew when you go on with it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your setting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your text, clearer and in the tone you want</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>[A file of LM Studio: {name}]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>[A file that is not in the export: {name}]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>[A picture that is not in the export]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>[A picture that is not in the thread]</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>[a picture: %n token]|[a picture: %n tokens]</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>[image blocked: {name}]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>[image blocked]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a PDF is written by the window alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a calculation was not possible (SIGFPE), which is a fault in llama.cpp or a broken model file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a calculation was not possible, which is a fault in llama.cpp or a broken model file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a call is required and there are no tools.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a count for no request ({id}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a few minutes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a few seconds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a library that it needs could not be started.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a library that it needs is missing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a library that it needs is of the wrong version.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a list is said to have {count} entries; the file is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a loaded model that can take no request.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a message takes {most} files at most.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a model can have at most {most}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a model is being checked. Wait until that is done.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a model there is called like “owner/model”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a newer Fireside wrote it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a newer Fireside wrote it. Update the program to import it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a newer version is there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a number with very many digits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a picture cannot be written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a picture of an unknown kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a prompt for no request ({id}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a prompt without end.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a property has no name; the file is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a quarter of the layers on the GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a question for a picture that was not shown to it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a second greeting.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a text contains a NUL character.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a text contains half a character.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a text in it is too long.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a third of the layers on the GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a tool needs a name of 1 to 256 characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a whole number from {least} to {most}{unit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>about %n day|about %n days</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>about %n hour|about %n hours</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>about %n minute|about %n minutes</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>about %n page|about %n pages</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>about %n second|about %n seconds</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>about %n token|about %n tokens</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>about a page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>about {count} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>about {n}½ hours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>about {used} / {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>access token account licence private gated keyring sign in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>after the colon stands a quantization such as “Q4_K_M”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all</source>
        <comment>layers</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all layers on the GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all shares are 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an answer that does not pause when it is told to.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an answer to no question.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an answer without end.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an entry of a list is said to be {length} bytes long; it is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an error inside Fireside ({kind}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>and %n message more|and %n messages more</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more.|and %n more.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more|and %n more</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>another branch begins here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another file of this model would get the same name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>any number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>archived</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>asks for consent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>backups copy save restore bring back safety</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>being written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by {owner}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot be used: {problem}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>closed</source>
        <comment>as a folder is</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compare texts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>comparing texts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compiling it takes too long.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>connection test hub reach network address proxy certificates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>d MMM</source>
        <comment>the pattern of a date, as Qt has it</comment>
        <translation>M月d日</translation>
    </message>
    <message>
        <source>d MMM yyyy</source>
        <comment>the pattern of a date, as Qt has it</comment>
        <translation>yyyy年M月d日</translation>
    </message>
    <message>
        <source>decided by Fireside</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>embedding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>error “{code}” with wrong fields ({why}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>first after {seconds} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>first message summarised|first %n messages summarised</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>first token {seconds} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>friendly</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>half of the layers on the GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in the branch that is shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in your library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in: {place}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it begins or ends texts with other tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it begins with zeros only. The download is probably incomplete.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it builds a list without end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it builds a text without end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it can be at most {limit} characters long.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it cannot be checked: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it cannot be followed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it cannot be moved to the trash ({reason}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it cannot be opened</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it cannot be opened ({reason}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it cannot be read ({reason}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it cannot be understood.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it cannot leave an answer unfinished</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it closed its connection to Fireside.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it computes a number without end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it contains a NUL character, which ends a text for the model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it contains a NUL character.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it contains half a character.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it contains half of a character (a lone surrogate).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it could not be brought up to date</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it could not be compiled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it could not be followed any further.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it could not be run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it cuts text into words in another way</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it did not accept the secret.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it did not delete the secret.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it did not end within {n} seconds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it does not answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it does not belong to Fireside</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it does not say what the file must be.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it does not say which architecture the model has.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it does not say which part of the file it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it does not write text word by word</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it ended before it had listed the devices. A graphics driver may be damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it ended in the middle of its answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it ended with exit code {code}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it ended with exit code {code}. Its last message: “{line}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it ended without being asked to.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it ends in the middle of its header; the download is probably incomplete.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it ends with a call of a tool, which is complete.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it goes on in another place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has changed meanwhile.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has more than {most} files in it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has more than {most} messages.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has more than {n} million pixels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has no heads of its own to guess ahead with. Guessing from the context needs none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has no name of its own (“conversation_id”).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has no name of its own (“id”).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has no pages.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has no possible time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has no usable name of its own (“origin”).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has not listed the devices in time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has nothing to compute with, not even a processor.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it holds a NUL character, which is not text. Was a binary file pasted?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it holds a vocabulary only, and no model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it holds characters that cannot be shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it holds definitions that no Word document has.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it holds far more than a runtime does.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it holds half a character.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it holds half of a character (a lone surrogate).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it holds half of a character (a lone surrogate). Delete it or paste the text again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it holds more than {most} presets, or is of no known version.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it holds more than {most}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it holds no conversations in a form that Fireside knows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it holds text that is not text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it holds text that is not text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is a JSON text. The download probably ended on an error message.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is a PyTorch file. Fireside needs the model as GGUF.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is a compressed archive. Unpack it first, or download the model as GGUF.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is a damaged picture.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is a folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is a model that makes pictures or films. It cannot chat.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is a model. Add it to your models instead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is a program.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is a safetensors file. Fireside needs the model as GGUF.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is a web page. If your network asks you to sign in, do that in your browser.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is a web page. The download probably ended on a sign-in or error page.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is an adapter (LoRA) for another model. It cannot chat by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is an archive with too many files in it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is an archive. Unpack it and attach the files in it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is an importance matrix, used to make model files. It cannot chat.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is another part of the file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is cut short</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is damaged or cut short ({reason}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is damaged, and only files in the library’s own folder are mended.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is damaged, or too complex to be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is in GGUF version {version}; this Fireside reads up to 3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is in an old format of Office. Save it as DOCX or PDF and attach that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is in the first GGUF version, which is no longer read. Download it anew.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is in the old GGML format from before GGUF. Download the model as GGUF.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is larger than {most} MB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is larger than {most} MB.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is larger than {most}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is larger than {n} MB.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is larger than {n} MiB.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is llama.cpp {version}, and this Fireside needs {needed}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is made for {needed}, and this computer is {present}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is neither a folder nor an archive (tar.gz, tar.xz or zip).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is neither text nor a kind of document that can be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is nested beyond all bounds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is nested deeper than {n} levels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is nested too deeply.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is no ZIP archive that can be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is no file of conversations.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is no file of presets.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is no longer there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is no model file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is not a GGUF file (its first bytes are {shown}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is not a PNG, JPEG, WebP, GIF or BMP picture, or it is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is not a database</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is not a file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is not a folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is not a settings file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is not an ordinary file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is not empty. Choose a new or an empty folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is not made for images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is not that part of the file ({status}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is not there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is not valid JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is not valid JSON ({why}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is of another version (protocol {theirs}, not {ours}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is only a pointer to the model (Git LFS). Download the file itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is packed ({packed}), which was not asked for.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is protected by a password.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is said to have {count} properties; the file is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is said to have {count} tensors; the file is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is the projector of a model that sees or hears. It cannot chat by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is too complex to be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is too complex.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is too long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is too long.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is {n_bytes} bytes long, at most {most} are read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it knows no search. Is the address in the settings that of a hub?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it knows {n_small} tokens and the model {n_large}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it lacks the property “{key}”, which every model needs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it lacks “{name}”, so it is another version of llama.cpp.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it leads from one place to the next without end.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it leads to an address without encryption.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it leaves a picture out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it leaves the system prompt out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it makes a text without end.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it must be a number.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it must be a whole number.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it must be an object, or true or false.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it names a model twice.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it names an address that cannot be.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it names no commit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it needs a name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it needs {total} of disk space, and {free} are free.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it pads a text without end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it read memory that is not its own (SIGSEGV), which is a fault in llama.cpp or a broken model file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it read memory that is not its own (access violation), which is a fault in llama.cpp or a broken model file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it refused ({status}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it said nothing for {limit_s} seconds.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it says GGUF version 0, which does not exist; the file is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it says that it is of a version that there never was.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it speaks of a file that is not in it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it still holds what it should delete.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it takes too long.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it takes too much memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it unpacks to far more than it seems to hold.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it used up its stack, which is a fault in llama.cpp or a broken model file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it used up the processor time that it is allowed (SIGXCPU).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it uses the number format {kind}, which llama.cpp no longer reads. Download the model in another one, for example Q4_0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it was asked to stop.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it was built for another processor than this one (SIGILL).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it was built for another processor than this one (illegal instruction).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it was interrupted (SIGINT).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it was interrupted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it was lost on the way.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it was made for another version.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it was made for big-endian machines, which Fireside cannot read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it was made for llama-cpp-python {version}, and this is {other}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it was not allowed to make a system call (SIGSYS).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it was stopped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it was to list the devices, and {what} A graphics driver may hang.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it words nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it would have more than {most} pages.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its address cannot be used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its alignment is not a number; the file is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its alignment is {value}, not a power of two up to 65,536; the file is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its answer takes too long.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its certificate is not trusted. A network that asks you to sign in does that, or a proxy whose certificate belongs into the settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its contents do not fit together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its context is {times} times as long as it was trained for, and it may answer worse</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its description has more than {limit} characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its format is unsafe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its header is larger than that of any model; the file is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its libraries cannot be loaded ({why}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its memory was damaged, which is a fault in llama.cpp or a broken model file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its name has more than {limit} characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its name is not found. Is this computer online?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its name leads out of the library.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its own heads for guessing ahead cannot be used yet. Guessing from the context needs none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its parts are nested too deep.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its parts are not what they should be</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its probabilities are being computed already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its projector “{file}” does not go with it ({why}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its property “{key}” is {value}, which no model can have.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its structures are those of another version of llama.cpp ({n_bytes} bytes in place of {expected}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its structures are those of another version of llama.cpp.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its tables are not those of Fireside</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its text has more than {limit} characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its value has more than {limit} characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its version is not a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its whole path is needed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its {file} cannot be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its {file} is far too long.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>just now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>last used: {when}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>length of a sequence breaker</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>length of a stop text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>licence {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>links in it lead out of its folder, so it is not to be trusted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>llama.cpp could not compute the next step ({result}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>llama.cpp could not load the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>llama.cpp could not load the projector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>llama.cpp could not make the context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>llama.cpp did not take the control vectors.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>llama.cpp gave up (SIGABRT).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>llama.cpp gave up on it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>llama.cpp gave up.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>llama.cpp gave up: “{line}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>llama.cpp says: “{line}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>llama.cpp&apos;s library (libllama) is not in it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>llama.cpp: {version}, runtime {name}, backends: {backends}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loading was stopped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>looks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mathematics</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>memory ran out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>message {place} follows one that does not stand before it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>message {place} has no possible time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>minutes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>more than ten days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>names in it lead out of its folder, so it is not to be trusted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>needs {size}, {free} free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>never used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>news of a load that was not asked for.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>news of no request ({id}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no connection could be made.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no keyring service is running.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no layers on the GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no process can be started to read it ({reason}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no process could be started ({reason}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no system prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no token of this model can fulfil it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <comment>layers</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none were loaded with this model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing answers there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing can fulfil it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing more arrived for a while.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>number of biased tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number of dimensions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number of sequence breakers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number of stop texts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number of texts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of a fault in Fireside.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of {n} of {n_all} layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>offered in new chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on the processor</source>
        <translation>在处理器上</translation>
    </message>
    <message>
        <source>one answer at a time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one is being written already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one model to take by itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one of the two folders lies in the other.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>open</source>
        <comment>as a folder is</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>other messages follow it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>picture: {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pinned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>private</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>projectors of the kind “{kind}” are not supported yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading it takes too long.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading it takes too much memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reckoned with a conversation of {count} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>regular expression</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reranking</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>room for %n|room for %n</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>seconds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sees pictures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>set otherwise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>size that fits in memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>size that suits by itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>some rows belong to nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>something answers there, but it is no hub. Look at the address in the settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>something else on this computer ended it (SIGHUP).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>something else on this computer ended it (SIGKILL). The system has ended nothing for want of memory; {free} are free now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>something else on this computer ended it (SIGTERM).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>something in it is not what it should be ({reason}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>something on your network answered in its place. If your network asks you to sign in, do that in your browser.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>something went wrong inside Fireside.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>strength of an adapter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>subject</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>system prompt “{text}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tags: {tags}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>taken</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>taken  {percent}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>target language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>temperature {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>text to insert</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>that is not the name of a device.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the Linux driver</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the archive is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the archive is packed in a way that Fireside cannot read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the arguments of a call of “{tool}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the arguments of the template</source>
        <translation>模板的参数</translation>
    </message>
    <message>
        <source>the branch that is shown ends in a message that is not there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the connection broke.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the context kept in {bits} instead of {more}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the copy of {name} is not what was written. The disk may be damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the disk is full.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the download is incomplete: {part} are there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file cannot be written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the files of a message can hold {most} characters together.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the graphics card stopped answering.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the hub has another file in its place now. Fetch that one instead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the images of a message can take {most} MB together.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the keyring answered with an error ({kind}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the keyring chosen in its configuration ({chosen}) is not one that keeps secrets.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the keyring could not be opened.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the last message alone is too long.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the last message ends with a call of a tool, which is complete.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the last message is not an answer to go on with.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the library holds at most {most} of them. Delete some that you do not use.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the link “{name}” in it leads nowhere.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model file could not be read any more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model file was changed or became unreadable while it was in use (SIGBUS).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model has layers from 1 to {last}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model is not loaded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model keeps no KV cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model lacks a token that its projector puts around images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model wrote nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model&apos;s context is too small.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model&apos;s projector cannot read it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model&apos;s projector made something else of it than it had said.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the name of a property</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the name of a property is no text; the file is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the name of a tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the name of a tensor is no text; the file is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the new folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the parameters of “{tool}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the present folder is not there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the process that tried it crashed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the process that tries it could not be started ({reason}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the projector makes nothing of an image of this size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the property “{key}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the property “{key}” has the unknown type {kind}; the file is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the property “{key}” is a list of lists, which GGUF does not use.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the property “{key}” is there twice; the file is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the proxy asks for a name and a password.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the proxy did not do what it was asked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the proxy or the certificates in the settings cannot be used ({reason}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the small model that guesses ahead is not named.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the small model “{draft}” could not be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the small model “{draft}” could not be started.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the suggested size of {repo}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the system does not let it be held in memory. Raise its limit on locked memory, or turn “Hold the model in memory” off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the system ended it ({name}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the system ended it with signal {number}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the system ended it, probably because memory ran out: it has ended a program for that since this model was loaded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the system is shutting down.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the system or another program ended it (SIGKILL). {free} of memory are free now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the tensor “{name}” does not begin where the one before it ends; the file is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the tensor “{name}” has an impossible size; the file is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the tensor “{name}” has rows of {count} numbers, which {kind} cannot hold; the file is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the tensor “{name}” has {count} dimensions, and at most 4 are possible.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the tensor “{name}” is in a number format that this Fireside does not know ({kind}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the tensor “{name}” is there twice; the file is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the tensor “{name}” lies outside the file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are at most {n} devices.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is an error inside Fireside.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is far too much in it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no conversation to export.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no device “{name}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no message in it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no processor {number} for it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no such file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no tool called “{tool}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is not enough memory to open it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is not enough memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is nothing in it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is nothing in it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>these libraries of llama.cpp are not in it: {listed}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>they are being moved already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>they are there already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this address cannot be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this address is not one of the hub&apos;s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this build of llama.cpp has no part for images.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is the address of something else than a model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this kind of model does not write text word by word.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this model was not taught to fill gaps in a text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this session keeps nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this session keeps nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this system does not let programs choose.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>three quarters of the layers on the GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>three to five short bullet points</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>to fit, it gives one answer at a time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>to fit, its context has {n} tokens and not {n_wanted}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>to fit, its context is kept in 8-bit numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>token {token} stands for another text in it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokens a second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>turn texts into vectors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>turning texts into numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>turning texts into vectors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>two to four answers can be compared.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>two tools are called “{tool}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>type it like “owner/model” or paste its address.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>under 0.1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>under 5 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown error “{code}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unnamed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>up to {n_ctx} context</source>
        <translation>上下文最多 {n_ctx}</translation>
    </message>
    <message>
        <source>updated {when}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>used %n day ago|used %n days ago</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>used today</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>used yesterday</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>used {day}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what it stored does not read back as it was.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>where they are is set in the environment or on the command line.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>with the part that lets it see pictures, {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>without a draft model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>without pictures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>write text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>writing text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>yes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>your account</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{amount} free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{answered} It knows your token.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{answered} It was asked without a token, which is enough for most models.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{answered} Your token is that of “{user}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{architecture}, {n_layers} layers of {n_embd}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{ask} – then put your access token into the settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{bad} of {whole} parts differ from what was downloaded. “Repair” fetches only those again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{context} context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} at work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} damaged files are kept already</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} downloads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} likes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} more: type part of the name to find them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{day:02} {month} {year}, {time} UTC</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{day} {month} {year}</source>
        <comment>a date</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{day}, {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{facts}. {place} of {n_rows}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{fewer} instead of {more} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file} is not a control vector made for this model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file} is not an adapter made for this model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file}, number {place}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{first} and {count} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{first} or {last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{folder} is in use now. Removing the old files…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{found} · still reading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{free} free of {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{hit}, {place} of {count}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host} answered in less than {seconds} seconds.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host} answered in {seconds} seconds.</source>
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
        <source>{hours} h {minutes} min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{keys} cannot be used. {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{keys} is for “{command}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{kind} needs flash attention.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{kind}, {device}, {column}: {bytes} bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{label}, of {others}: close to full quality at about a quarter of the size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{label}, of {others}: the nearest to the usual one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{label}, slider</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{label}: a value of its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{label}: the smallest of {count}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{line}, the fastest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{line}, {place} of {n_lines}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{memory} of the computer’s own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{millions} million characters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{minutes} min {seconds} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{missing} of its {count} parts are missing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{model} cannot see images. Remove the image, or choose a model that can.</source>
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
        <source>{model} is not loaded. It words the prompt itself and must be loaded for that.</source>
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
        <source>{model} stopped {n_crashes} times in a few minutes, so it is not restarted by itself. Load it again to try once more. The last time: {cause}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n_ctx} context</source>
        <translation>上下文 {n_ctx}</translation>
    </message>
    <message numerus="yes">
        <source>{n_done} of %n chat|{n_done} of %n chats</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{n_given} strengths were given, and {n_loaded} adapters are loaded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n_shares} shares were given, and {n_devices} devices are used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n_shown} of %n model|{n_shown} of %n models</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{names} and %n more|{names} and %n more</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{name} (copy)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} answered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} answered:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} by {owner}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} by {publisher}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} has more parameters at work than parameters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is being fetched already, here or by another Fireside.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is loading… {percent}%</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is not used: it is not offered by {builds}. Its driver may be too old or not whole, or the environment hides it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is not used: the build of llama.cpp in use cannot compute on it. A runtime with {helps} could.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is not used: the runtime “{runtime}” cannot compute on it. A runtime with {helps} could.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is ready.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is still loaded with the earlier settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} loads with your first message.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} waits its turn to be loaded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}, {percent}. {place} of {all}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}, {state}, chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: reading {prefill}, writing {decode} tokens a second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: {size} of {free} free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: {taken} of {total}, {free} free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: {taken} of {total}, {over} too much</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} are more than {most}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} of {n_all}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} of {n_all} layers on the GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} of {n_all} layers run on {gpu}, the others on the processor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} of {n_all} layers run on {gpu}, the others on the processor, since {gpu} has no room for more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} of {n_all} layers run on {gpu}, the others on the processor, since {gpu} have no room for more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} pages could not be read: {pages}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} repetitions are too many, at most {most} are counted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} tokens at once need a micro-batch of {least} or more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{owner} asks for consent before a download; you have given it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{owner} asks for your consent before the download: accept the terms on the model’s page with an account of the hub, then put an access token of that account into the settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pages} and others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{params} parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{part} of %n token was thinking.|{part} of %n tokens were thinking.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{part} of {whole}</source>
        <translation>{part} / {whole}</translation>
    </message>
    <message>
        <source>{part} of {whole} bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{part}: %n token|{part}: %n tokens</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{path} cannot be checked: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be used: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be written: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is missing or cannot be opened.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{percent} % busy</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{place} and %n more|{place} and %n more</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{place} of {total}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{preset} (changed)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{repo} has another version of this file: {size_bytes} to download. The file that you have stays until then.</source>
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
    <message numerus="yes">
        <source>{right} of %n token guessed ahead was right.|{right} of %n tokens guessed ahead were right.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} (would be taken)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} are needed and {free} are free.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{size} in %n file|{size} in %n files</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{size} of memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} of memory of {device}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} of that are copies of the same content.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} to download</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} to go</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size}, does not fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size}, fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size}, fits in part</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{speed} beside a busy program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{speed} tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{time} left</source>
        <translation>还剩{time}</translation>
    </message>
    <message>
        <source>{title} – Fireside</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{title}, found in %n message|{title}, found in %n messages</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{title}, sorted ascending</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title}, sorted descending</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{token}, taken</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{used} of %n token|{used} of %n tokens</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{value} is not between {low} and {high}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{verdict}: {amount} of memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{verdict}: {amount} on the GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{verdict}: {amount} on {device}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{wanted} (not here)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what} are nested too deeply.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what} are not JSON.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what} are not a JSON object.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what} cannot be used: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what} is said to be {length} bytes long; the file is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{why} It goes on as soon as there is room.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{why} It is tried again in {wait}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{why}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{words}: summary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{changed}” in it is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{changed}” in it is not as it was when it was added.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{chosen}” is chosen and cannot be used, so the one built for this computer is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{draft}” cannot guess for it: it cannot take tokens back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{draft}” cannot guess for it: {why}. Choose a model of the same family.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{file}” is not a projector for images.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{label}” needs it. Turn that off first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{message}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” cannot be attached: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” cannot be deleted here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” does not work on this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” goes to the trash. Emptying it frees {size}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” goes to the trash. That frees no space: the file is also there by another name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>“{name}” has more than %n character.|“{name}” has more than %n characters.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>“{name}” in it cannot be unpacked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” in it is larger than it says.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” in it is longer than it says.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” in it is neither a file nor a folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” in it is no library.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” in it would be {file_size} large.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” is a link to a file outside of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” is in it twice.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” is in the trash.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” is in the trash. Emptying it frees {freed_bytes}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” is no longer listed. Its file stays where it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” is no longer listed. Its files stay.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” is no model on the hub: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” is not used any more: {reason} Models run with the runtime that was built for this computer until it passes its test again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” is removed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” is whole again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” is whole.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” was left out. {sentence}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” works on this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}”: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{part}” has characters that no name there has.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{pattern}” is no regular expression.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{repo}” is no model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{shown}” is not understood. Write a token’s number, an equals sign, and “never” or a number from −1,000 to 1,000.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{source}” cannot be added: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{text}” is no address. It begins with “https://”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{text}” is no regular expression.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{text}” is not a number from 0 to {most}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{text}” is not a number from −{most} to {most}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{text}” is not a number or a range such as 4-7.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{text}” is not a pattern, an equals sign and a device.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{text}” is not a property, an equals sign, int:, float:, bool: or str:, and a value.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{title}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{token}”   {percent}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{word}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>… and %n more character|… and %n more characters</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>↑ ↓ to choose   ·   Enter or Tab to take it   ·   Esc to write a slash</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>↑ ↓ to choose   ·   Return to do it   ·   Esc to close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>⟨mark {token}⟩</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>

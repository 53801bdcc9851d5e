/** Errors of environments and their servers: GYM_…, and those of ENV_… that a command is often answered with. */
import type { Texts } from '../translator.ts';

export const worldErrors: Texts = {
  'an answer of … is larger than … bytes: look at the server, or raise max_answer':
    '{1} 的一次回答超过 {2} 字节：请检查服务器，或调高 max_answer',
  '/reset answered … without …: is this the right environment?': '/reset 的回答 {1} 里没有 {2}：环境对吗？',
  '…/create answered …: is this really …?': '{1}/create 回答了 {2}：这真的是 {3} 吗？',
  '…/step answered …: is this the right environment?': '{1}/step 回答了 {2}：环境对吗？',
  '… answered … "…" when asked what it serves: look at the server, or write …@agentgym+http://… for one of AgentGym\'s':
    '问 {1} 提供什么时，它回答 {2}“{3}”：请检查服务器；AgentGym 的服务器请写 {4}@agentgym+http://{5}',
  '… says that … has … splits: look at the server': '{1} 说 {2} 有 {3} 个划分：请检查服务器',
  'step … was answered with that of step …: look at what stands between here and the server':
    '第 {1} 步收到的是第 {2} 步的回答：请检查中间的代理',
  '… was asked for tasks … to … of …/… and gave others: look at the server':
    '向 {1} 要 {4}/{5} 的任务 {2} 到 {3}，得到的是别的：请检查服务器',
  '… was answered … with "…": is this address really an Agoge gym?':
    '{1} 收到回答 {2}“{3}”：这个地址真的是 Agoge 的环境服务器吗？',
  '"…" names no environment: write textcraft, textcraft@http://host:36001, or ./my-env.ts':
    '“{1}”不是环境：请写 textcraft、textcraft@http://host:36001 或 ./my-env.ts',
  '"…" is not the address of a gym: write it as http://host:port': '“{1}”不是环境服务器的地址：请写成 http://host:port',
  'the token in the address of … is not encoded as in an address: set AGOGE_GYM_TOKEN instead':
    '{1} 的地址中的令牌没有按网址编码：请改用 AGOGE_GYM_TOKEN',
  'a process of the server could not start': '服务器的一个进程无法启动',
  'unexpected error in the environment (a bug: please report it)': '环境出现意外错误（程序缺陷：请报告）',
  'a process of the server did not start in time: use fewer --processes': '服务器的一个进程没有按时启动：请减少 --processes',
  'a process of the server ended with …: use fewer --processes': '服务器的一个进程以 {1} 结束：请减少 --processes',
  'the call to … was cancelled by its owner': '对 {1} 的调用被调用者取消',
  'the environment was closed': '环境已关闭',
  'cannot listen on …:… (choose another port)': '无法监听 {1}:{2}（请换一个端口）',
  'port … on … is already in use: choose another with --port, or end the program that holds it':
    '{2} 的端口 {1} 已被占用：请用 --port 换一个，或结束占用它的程序',
  'cannot listen on …:… (…): choose another --host or --port': '无法监听 {1}:{2}（{3}）：请换一个 --host 或 --port',
  'cannot listen on 127.0.0.1 (check the machine)': '无法监听 127.0.0.1（请检查机器）',
  'the connection to … broke (…): look at the server, then open a new session':
    '与 {1} 的连接断了（{2}）：请检查服务器，然后开新的会话',
  'this server is shutting down: open the session on another one': '这个服务器正在关闭：请在别的服务器上开会话',
  '… is full or shutting down (503): close sessions, wait, or raise its --max-sessions':
    '{1} 已满或正在关闭（503）：请关闭会话、等待，或调高它的 --max-sessions',
  'all … sessions are in use: close one, wait, or raise --max-sessions':
    '{1} 个会话都在使用：请关闭一个、等待，或调高 --max-sessions',
  'how many items the server of … has is not known: say so with --set ….items=200 (in a recipe: settings: { items: 200 })':
    '不知道 {1} 的服务器有多少 item：请用 --set {2}.items=200 说明（配方中：settings: { items: 200 }）',
  'nothing answers at … (…): start the server (agoge serve …) or check the address':
    '{1} 没有响应（{2}）：请启动服务器（agoge serve {3}）或检查地址',
  'The id … is not valid.': 'id {1} 无效。',
  'unexpected error': '意外错误',
  'the key "…" has opened …, not …: use a new key for each session': '键“{1}”打开的是 {2}，不是 {3}：请给每个会话用新的键',
  'this server asks for its token: send "Authorization: Bearer <token>", or http://agoge:<token>@host':
    '这个服务器要求令牌：请发送 "Authorization: Bearer <token>"，或写 http://agoge:<token>@host',
  'the server is gone': '服务器不在了',
  'none of the servers answers (…): start one of them, or wait longer (wait)':
    '没有一个服务器响应（{1}）：请启动其中一个，或等更久（wait）',
  'none of the servers answers: start one of them': '没有一个服务器响应：请启动其中一个',
  '…… answered the error "…": the server says what is wrong': '{1}{2} 回答了错误“{3}”：服务器说明了原因',
  '… did not play the same way on another server: start all servers from one version with the same settings':
    '{1} 在另一个服务器上走出了不同的结果：请让所有服务器用同一版本和设置',
  'session … expects step …, not …: send the steps of a session in order':
    '会话 {1} 等的是第 {2} 步，不是第 {3} 步：请按顺序发送',
  '… serves another … than the others (…): start all servers from one version with the same settings':
    '{1} 提供的 {2} 与其他服务器不同（{3}）：请让所有服务器用同一版本和设置',
  '… no longer knows this session ("…"): open a new one': '{1} 已不认识这个会话（“{2}”）：请开新的',
  'there is no session … (closed, or unused for too long): open a new one': '没有会话 {1}（已关闭，或闲置太久）：请开新的',
  'session … was closed while this call waited: open a new one': '会话 {1} 在等待时被关闭：请开新的',
  'the process of this session ended: open a new session': '这个会话的进程结束了：请开新的会话',
  '… did not answer in time: raise the timeout, or look at the server': '{1} 没有按时回答：请调高 timeout，或检查服务器',
  'the body is larger than … bytes: send a shorter action': '请求体超过 {1} 字节：请发送更短的动作',
  '… asks for its token: set AGOGE_GYM_TOKEN, or write http://agoge:<token>@host':
    '{1} 要求令牌：请设置 AGOGE_GYM_TOKEN，或写 http://agoge:<token>@host',
  '… says "…", not "…": is … on another port?': '{1} 说的是“{2}”，不是“{3}”：{4} 是不是在别的端口？',
  '… has no …: is another environment on this port?': '{1} 没有 {2}：这个端口上是不是别的环境？',
  '… serves …, not …: name one of those, or another port': '{1} 提供 {2}，不是 {3}：请写其中之一，或换一个端口',
  '… breaks …: the counter-examples above show how': '{1} 违反了 {2}：见上面的反例',
  '… gave no answer within … s: see what it waits for': '{1} 在 {2} 秒内没有回答：请看它在等什么',
  'there is no environment "…": …': '没有环境“{1}”：{2}',
  'AgentGym has no server for "…": choose one of …, or serve it with agoge':
    'AgentGym 没有“{1}”的服务器：请从中选一个：{2}，或用 agoge 提供它',
  'this server has no environment "…": it serves …': '这个服务器没有环境“{1}”：它提供 {2}',
  '… has no setting "…": it has none, leave it out': '{1} 没有设置“{2}”：它没有任何设置，请去掉',
  '… has no setting "…": …': '{1} 没有设置“{2}”：{3}',
  '… is on a server of its own and has only the setting "items", not "…": give it to the server':
    '{1} 在自己的服务器上，只有设置 "items"，没有“{2}”：请在服务器上设置',
  '… has no split "…": …': '{1} 没有划分“{2}”：{3}',
  '… has no split "…" here: choose all': '{1} 在这里没有划分“{2}”：请选 all',
  "… has no item …: see its tasks with agoge data, or check the file's environment":
    '{1} 没有 item {2}：请用 agoge data 查看任务，或检查文件属于哪个环境',
  '… has items 0 to …, not …: choose one of them': '{1} 的 item 是 0 到 {2}，没有 {3}：请从中选一个',
  '… … official files, and none were given: …, or add --generated (in recipes settings: { generated: true }) to play … under its number':
    '{1}（{2}）要用官方文件，但没有给出：{3}；或加 --generated（配方中 settings: { generated: true }），以同一编号玩{4}',
  'there is no Chromium on this machine: …': '这台机器上没有 Chromium：{1}',
  'the package playwright-core is not installed, so no browser can be driven: install agoge again without --omit=optional, or play the shipped sites without a browser (webarena.lane=fast)':
    '没有安装 playwright-core，无法驱动浏览器：请不带 --omit=optional 重新安装 agoge，或不用浏览器玩自带网站（webarena.lane=fast）',
  'choose one of …': '请从中选一个：{1}',
  'did you mean "…"? choose one of …': '是不是想写“{1}”？请从中选一个：{2}',
  '…… answered … "…": look at the server\'s log': '{1}{2} 回答了 {3}“{4}”：请看服务器的日志',
  'The task with environment … has finished.': '环境 {1} 的任务已结束。',
  'world_type must be one of "Text", "Embody" and "Hybrid"': 'world_type 必须是 "Text"、"Embody"、"Hybrid" 之一',
  'this instance has no question yet: reset it with an item_id first': '这个实例还没有问题：请先用 item_id 重置它',
  'the page after a purchase shows no instruction: reset first': '购买之后的页面没有 instruction：请先重置',
  '"…" is not encoded as a path is: percent signs stand before two digits': '“{1}”不是按路径编码的：百分号之后应有两位数字',
  'the body is not JSON: send an object as in /openapi.json': '请求体不是 JSON：请按 /openapi.json 发送对象',
  'use … here': '这里请用 {1}',
  '…: see /openapi.json for the fields': '{1}：字段见 /openapi.json',
};

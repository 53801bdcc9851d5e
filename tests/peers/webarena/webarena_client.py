"""AgentGym's own WebArena client, unchanged, against the server whose address is given."""
import importlib.util
import json
import sys
import types

checkout, address, item = sys.argv[1], sys.argv[2], int(sys.argv[3])


class Base:
    def __init__(self, *args, **kwargs):
        pass


# The client's module imports its package, which imports every trainer; the three names it uses are enough.
controller, kinds = types.ModuleType("agentenv.controller"), types.ModuleType("agentenv.controller.types")
controller.BaseEnvClient = controller.BaseTask = Base
kinds.ConversationMessage = dict
kinds.StepOutput = type("StepOutput", (), {"__init__": lambda self, **given: self.__dict__.update(given)})
sys.modules.update({"agentenv": types.ModuleType("agentenv"), "agentenv.controller": controller, "agentenv.controller.types": kinds})
spec = importlib.util.spec_from_file_location("webarena_client", f"{checkout}/agentenv/agentenv/envs/webarena.py")
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)

client = module.WebarenaEnvClient(address, 812)
step = lambda text: (lambda out: [out.state, out.reward, out.done])(client.step(text))
played = {"reset": client.reset(item), "observe": client.observe()}
played["unfenced"] = step("click [1]")
played["wrong"] = step("```click x```")
played["scrolled"] = step("```scroll [down]```")
played["stopped"] = step("I stop. ```stop [nothing]```")
played["closed"] = client.close()
json.dump(played, sys.stdout)

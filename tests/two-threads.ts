/** Set-up of tests that open an engine and share a process: whoever comes first decides its threads, so all begin with two. */
import { Runtime } from '../src/engine/embedded/runtime/runtime.ts';

Runtime.open({ threads: 2 });

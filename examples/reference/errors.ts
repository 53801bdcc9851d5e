/** Examples of the reference: errors. The body of each function is the example of what it is named after. */
import { AgogeError, loadEnvironment } from 'agoge';

export const examples = {
  async AgogeError() {
    try {
      await loadEnvironment('textcrafd');
    } catch (thrown) {
      if (thrown instanceof AgogeError) console.log(thrown.code, thrown.message); // ENV_UNKNOWN, and what to write instead
    }
  },
};

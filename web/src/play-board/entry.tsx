/** Where an action is typed. */
import { useRef, useState } from 'preact/hooks';
import { usePhrases } from '../language.ts';

interface EntryProps {
  readonly actions: readonly string[];
  readonly onSend: (action: string) => void;
}

export function Entry({ actions, onSend }: EntryProps) {
  const t = usePhrases();
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() === '') return;
        onSend(text);
        setText('');
        input.current?.focus();
      }}
    >
      <input
        ref={input}
        aria-label={t('Your action')}
        placeholder={t('Your action')}
        value={text}
        list="possible-actions"
        autocomplete="off"
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <datalist id="possible-actions">
        {actions.map((action) => (
          <option key={action} value={action} />
        ))}
      </datalist>
      <button class="primary" type="submit">
        {t('Send')}
      </button>
    </form>
  );
}

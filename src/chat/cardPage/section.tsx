import type { ComponentChildren, JSX } from 'preact';

export const Icon = ({ name }: { readonly name: string }): JSX.Element => <span class={`codicon codicon-${name}`} aria-hidden="true" />;

export function Section({
  icon,
  title,
  children,
}: {
  readonly icon: string;
  readonly title: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <section>
      <h2>
        <Icon name={icon} />
        {title}
      </h2>
      {children}
    </section>
  );
}

export const Chips = ({ of: texts }: { readonly of: readonly string[] }): JSX.Element => (
  <span class="chips">
    {texts.map((text, index) => (
      <span key={index} class="chip">
        {text}
      </span>
    ))}
  </span>
);

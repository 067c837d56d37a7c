import { Component, type ComponentChildren } from 'preact';

/**
 * A component that is redrawn only when one of its properties changes. It reads no signals. In a growing list, memoised
 * elements (`useMemo`) would keep every earlier list in memory.
 */
export const memo = <P extends object>(draw: (props: P) => ComponentChildren) =>
  class Memo extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      return (Object.keys(next) as (keyof P)[]).some(
        (name) => next[name] !== this.props[name as keyof typeof this.props],
      );
    }
    override render(props: P) {
      return draw(props);
    }
  };

import './style/fonts.css';
import './style/tokens.css';
import './style/base.css';
import './style/floating.css';
import './style/pages.css';
import { render } from 'preact';
import { App } from './App.tsx';
import { findKey } from './lib/session.ts';

findKey();
render(<App />, document.body);

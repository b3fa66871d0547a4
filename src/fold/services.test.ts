import { describe, expect, it } from 'vitest';
import { servicePath } from './services.ts';

describe('the path of a published method', () => {
  it.each([
    ['/coven.CovenControl/AgentStream', 'coven.CovenControl', '/coven.CovenControl/AgentStream'],
    ['/coven.CovenControl/AgentStream', 'fold.FoldControl', '/fold.FoldControl/AgentStream'],
    ['/coven.CovenControl/AgentStream', 'a.b.Control/Talk', '/a.b.Control/Talk'],
    ['/coven.CovenControl/AgentStream', 'Control', '/Control/AgentStream'],
    ['/coven.PackService/Register', 'fold.FoldControl', '/fold.PackService/Register'],
    ['/coven.PackService/ToolResult', 'a.b.Control/Talk', '/a.b.PackService/ToolResult'],
    ['/coven.ClientService/SendMessage', 'Control', '/ClientService/SendMessage'],
    // A path that a scenario names stays.
    ['/fold.FoldControl/AgentStream', 'my.Control', '/fold.FoldControl/AgentStream'],
    ['/wireproof.Operator/Call', 'my.Control', '/wireproof.Operator/Call'],
    ['', 'my.Control', ''],
  ])('%s at a gateway with %s is %s', (path, service, expected) => {
    expect(servicePath(path, service)).toBe(expected);
  });
});

import { describe, expect, it } from 'vitest';
import { visitors } from './visitors.ts';

const local = visitors({ bound: '127.0.0.1', token: false });
const wide = visitors({ bound: '0.0.0.0', token: false });

describe('who may speak to a server', () => {
  it('on this machine: its own names, with any port', () => {
    for (const host of ['127.0.0.1:36001', 'localhost', 'LOCALHOST:1', '[::1]:80', undefined])
      expect(local({ host })).toBeUndefined();
    for (const host of ['evil.example', 'evil.example:36001', '127.0.0.1.evil.example', '10.0.0.7', 'gym', ''])
      expect(local({ host })?.what).toBe('host');
  });

  it('open to the network: addresses and names that nobody can point elsewhere, or any name with a token', () => {
    for (const host of ['10.0.0.7:36001', '[fe80::1]:1', 'gym:36001', 'box.local', 'localhost'])
      expect(wide({ host })).toBeUndefined();
    expect(wide({ host: 'evil.example:36001' })?.what).toBe('host');
    expect(visitors({ bound: '::', token: true })({ host: 'gym.example.org' })).toBeUndefined();
    expect(visitors({ bound: '127.0.0.1', token: true })({ host: 'gym.example.org' })?.what).toBe('host');
  });

  it('pages: its own only', () => {
    const host = '127.0.0.1:36001';
    expect(local({ host, origin: `http://${host}` })).toBeUndefined();
    for (const origin of ['http://evil.example', 'null', 'http://127.0.0.1:3000', 'http://127.0.0.1'])
      expect(local({ host, origin })?.what).toBe('origin');
    expect(local({ host, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' })?.what).toBe('origin');
    expect(local({ host, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' })).toBeUndefined();
    expect(local({ host, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' })).toBeUndefined();
  });

  it('whom the owner names is welcome, and the refusal says how', () => {
    const named = visitors({ bound: '0.0.0.0', token: false, hosts: ['Gym.example.org'], origins: ['https://app.example.org'] });
    expect(named({ host: 'gym.example.org', origin: 'https://app.example.org' })).toBeUndefined();
    expect(named({ host: 'gym.example.org', origin: 'https://other.example.org' })?.message).toContain('--allow-origin');
    expect(named({ host: 'other.example.org' })?.message).toContain('--allow-host other.example.org');
    const any = visitors({ bound: '127.0.0.1', token: false, hosts: ['*'], origins: ['*'] });
    expect(any({ host: 'evil.example', origin: 'null' })).toBeUndefined();
  });
});

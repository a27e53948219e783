/** Hosts that resolve, or may resolve, to a forbidden target. */
export const HOSTILE_HOSTS: readonly string[] = `
127.1 2130706433 017700000001 0x7f.1 0x7f000001 0177.0.0.1 0 0.0.0.0 127.0.0.1 127.255.255.254
127.0.0.1. 10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.1.1 192.168.257 100.64.0.1
100.127.255.255 169.254.169.254 169.254.0.1 0xa9fea9fe 2852039166 0251.0376.0251.0376
100.100.100.200 168.63.129.16 192.0.0.192 192.0.0.8 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1
192.175.48.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.250 240.0.0.1
255.255.255.255 [::1] [::] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:8.8.8.8]
[::ffff:169.254.169.254] [::127.0.0.1] [::7f00:1] [::ffff:0:127.0.0.1] [64:ff9b::a9fe:a9fe]
[64:ff9b::127.0.0.1] [64:ff9b:1::1] [2002:7f00:1::] [2002:a9fe:a9fe::]
[2001:0:4136:e378:8000:63bf:3fff:fdd2] [2001::1] [2001:10::1] [2001:20::1] [2001:1ff::1]
[2001:db8::1] [3fff::1] [fc00::1] [fd12::1] [fd00:ec2::254] [fe80::1] [febf::1] [fec0::1] [ff02::1]
[ff0e::1] [4000::1] [5f00::1] [100::1] [100:0:0:1::1] ①②⑦.1 ①②⑦.⓪.⓪.① 127。0。0。1 127．0．0．1
１２７.0.0.1 localhost LOCALHOST. LocalHost foo.localhost localhost.localdomain.local intranet router
metadata metadata.google.internal instance-data.ec2.internal kubernetes.default.svc
kubernetes.default.svc.cluster.local host.docker.internal printer.local a.b.lan nas.home x.corp
1.home.arpa web.svc abc.onion example.test example.invalid 1.0.0.127.in-addr.arpa ip6.arpa
example..com example.com.. .example.com
`
  .trim()
  .split(/\s+/)

/** URLs that are refused for a part other than the host. */
export const HOSTILE_URLS: readonly string[] = [
  'http://example.com/',
  'http://8.8.8.8/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:6379/',
  'ftp://example.com/',
  'dict://127.0.0.1:11211/',
  'ldap://127.0.0.1/',
  'javascript:alert(1)',
  'data:text/plain,hello',
  'blob:https://example.com/1',
  'ws://example.com/',
  'wss://example.com/',
  'https://user:pass@example.com/',
  'https://user@example.com/',
  'https://:pass@example.com/',
  'https://example.com@127.0.0.1/',
  'https://example.com:443@127.0.0.1/',
  'https://127.0.0.1\\@example.com/',
  'https://example.com/#part',
  'https://example.com/#',
  'https://example.com:80/',
  'https://example.com:22/',
  'https://example.com:25/',
  'https://example.com:1023/',
  'https://example.com:3306/',
  'https://example.com:5432/',
  'https://example.com:6379/',
  'https://example.com:9200/',
  'https://example.com:11211/',
  'https://example.com:27017/',
  'https://example.com:0/',
  'https://example.com:65536/',
  'https://8.8.8.8:6379/',
  'https://[2606:4700::1111]:22/',
  'example.com/hook',
  '//example.com/hook',
  'https:',
  'https://',
  'https://?',
  '',
  'https://example.com/a b',
  'https://example.com/\r\nX-Injected: 1',
  'https://example.com/\n',
  'https://exa\tmple.com/',
  ' https://example.com/',
  'https://example.com/\0',
  'https://exa%00mple.com/',
  'https://[fe80::1%25eth0]/',
  'https://[::1',
  `https://example.com/${'a'.repeat(2_048)}`,
]

/** Returns every hostile URL: each host under both schemes and on an open port. */
export const EVERY_HOSTILE_URL: readonly string[] = [
  ...HOSTILE_HOSTS.flatMap((host) => [
    `https://${host}/`,
    `http://${host}/latest/meta-data/`,
    `https://${host}:8443/`,
  ]),
  ...HOSTILE_URLS,
]

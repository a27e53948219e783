#!/bin/sh
# Boots systemd as the first process of namespaces of its own, and ends with it:
# unshare --mount sh boot-systemd.sh FOLDER CHECKOUT NAME, as root. Its root is a copy-on-write view of this
# machine's, in memory, with the checkout read-only at /opt/sohbet; /mnt shows what was written. Of the
# machine's units it starts the journal alone. It has the machine's network.
set -eu

if [ "${4:-}" != inside ]; then
  folder=$1 group=$1/groups/$3
  mount -t tmpfs tmpfs "$folder"
  cd "$folder"
  mkdir upper work root groups
  mount -t overlay overlay -o "lowerdir=/,upperdir=$folder/upper,workdir=$folder/work" root
  mount -t cgroup2 cgroup2 groups
  mkdir "$group"
  # A group of its own, which the namespace shows systemd as the root of all.
  unshare --mount --pid --fork --kill-child --ipc --uts \
    sh -c 'echo 0 >"$0"; exec unshare --cgroup "$@"' "$group/cgroup.procs" sh "$0" "$@" inside || true
  find "$group" -depth -type d -exec rmdir {} +
  exit
fi

# From here on paths lead into the view: a link in it could lead back to the machine's own files.
cd "$1/root"
mkdir -p machine
pivot_root . machine
cd /
mount -t proc proc /proc
# What belongs to the whole machine is not for writing.
for path in /proc/sys /proc/sysrq-trigger; do
  [ -e "$path" ] || continue
  mount --bind "$path" "$path"
  mount -o remount,bind,ro "$path"
done
mount -t sysfs -o ro sysfs /sys
mount -t cgroup2 cgroup2 /sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs /run
mount -t tmpfs -o mode=1777 tmpfs /tmp
mount -t tmpfs -o mode=755 tmpfs /dev
mkdir /dev/pts /dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts /dev/pts
mount -t tmpfs -o mode=1777 tmpfs /dev/shm
for device in null zero full random urandom tty; do
  touch "/dev/$device"
  mount --bind "/machine/dev/$device" "/dev/$device"
done
ln -s pts/ptmx /dev/ptmx
ln -s /proc/self/fd /dev/fd

mkdir -p /opt/sohbet
mount --bind "/machine$2" /opt/sohbet
mount -o remount,bind,ro /opt/sohbet
mount --bind "/machine$1/upper" /mnt
mount -o remount,bind,ro /mnt
umount -l /machine
rmdir /machine

: >/etc/machine-id
rm -rf /etc/systemd/system/* /lib/systemd/system/*.wants
cat >/etc/systemd/system/bare.target <<'UNIT'
[Unit]
DefaultDependencies=no
Wants=systemd-journald.service
UNIT

exec env -i container=sohbet-test PATH=/usr/sbin:/usr/bin:/sbin:/bin \
  /lib/systemd/systemd --system --unit=bare.target --log-target=journal --show-status=no </dev/null

/* The first and only program of a guest: runs one cell, writes its tables, and powers the guest off.
 *
 * The environment's CELL names FILE; FILE.cell has the cell as lines of a key and its values. Written are FILE.flowN.csv,
 * with each flow's TCP_INFO every 10 ms, and, of transfers that lose single packets, FILE.packets.csv.
 *
 * A sender and a receiver have a network namespace each. Between them is either a router whose queues are the kernel's
 * own (netem, or tbf with another within it), or this program with two TUN devices, which can lose or delay the packet
 * with a given number. Sizes are those of IP packets; times are the guest's own, which are virtual.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <linux/tcp.h>
#include <net/if.h>
#include <net/route.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000ull
#define FLOWS 8
#define LISTED 64
#define PORT 5000
#define SAMPLE (10 * 1000 * 1000)
#define RING (1 << 16)

typedef uint64_t nanoseconds;

static struct {
  char control[32];
  double start;
  uint64_t size; /* bytes; 0 is without end */
} flows[FLOWS];
static int flow_count;
static double rate = 10e6, stop = 60, loss;
static nanoseconds delay = 20 * 1000 * 1000;
static int limit = 100, mark_at, ecn, gso, hystart = 1, netem;
static long receive_buffer = 33554432;
static char discipline[256];
static int drops[LISTED], drop_count, hold = -1;
static nanoseconds held;
static char base[256];

static nanoseconds now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * SECOND + t.tv_nsec;
}

static void off(void) {
  fflush(0);
  sync();
  reboot(RB_POWER_OFF);
  _exit(1);
}

static void fail(const char *what) {
  printf("lab: %s: %s\n", what, strerror(errno));
  off();
}

static void set(const char *path, const char *form, ...) {
  char text[128];
  va_list values;
  va_start(values, form);
  vsnprintf(text, sizeof text, form, values);
  va_end(values);
  int file = open(path, O_WRONLY);
  if (file < 0 || write(file, text, strlen(text)) < 0)
    fail(path);
  close(file);
}

static FILE *table(const char *name, const char *columns) {
  char path[320];
  snprintf(path, sizeof path, "%s.%s.csv", base, name);
  FILE *file = fopen(path, "w");
  if (!file)
    fail(path);
  setvbuf(file, 0, _IOFBF, 1 << 16);
  fprintf(file, "%s\n", columns);
  return file;
}

/* Reading the cell. */

static void read_cell(void) {
  char path[300], line[512];
  snprintf(path, sizeof path, "%s.cell", base);
  FILE *file = fopen(path, "r");
  if (!file)
    fail(path);
  while (fgets(line, sizeof line, file)) {
    char *key = strtok(line, " \n"), *value = strtok(0, "\n");
    if (!key || !value)
      continue;
    if (!strcmp(key, "rate"))
      rate = atof(value);
    else if (!strcmp(key, "delay_us"))
      delay = atoll(value) * 1000;
    else if (!strcmp(key, "limit"))
      limit = atoi(value);
    else if (!strcmp(key, "stop"))
      stop = atof(value);
    else if (!strcmp(key, "loss"))
      loss = atof(value);
    else if (!strcmp(key, "mark_at"))
      mark_at = atoi(value);
    else if (!strcmp(key, "ecn"))
      ecn = atoi(value);
    else if (!strcmp(key, "gso"))
      gso = atoi(value);
    else if (!strcmp(key, "hystart"))
      hystart = atoi(value);
    else if (!strcmp(key, "netem"))
      netem = atoi(value);
    else if (!strcmp(key, "receive_buffer"))
      receive_buffer = atol(value);
    else if (!strcmp(key, "queue"))
      snprintf(discipline, sizeof discipline, "%s", value);
    else if (!strcmp(key, "drop") && drop_count < LISTED)
      drops[drop_count++] = atoi(value);
    else if (!strcmp(key, "hold") && sscanf(value, "%d %lu", &hold, &held) == 2)
      held *= 1000;
    else if (!strcmp(key, "flow") && flow_count < FLOWS &&
             sscanf(value, "%31s %lf %lu", flows[flow_count].control, &flows[flow_count].start,
                    &flows[flow_count].size) == 3)
      flow_count++;
    else {
      printf("lab: cannot read %s\n", key);
      off();
    }
  }
  fclose(file);
}

/* Namespaces, devices and programs. */

static void run(const char *form, ...) {
  char text[512], *words[64];
  int count = 0, status;
  va_list values;
  va_start(values, form);
  vsnprintf(text, sizeof text, form, values);
  va_end(values);
  for (char *word = strtok(text, " "); word && count < 63; word = strtok(0, " "))
    words[count++] = word;
  words[count] = 0;
  pid_t child = fork();
  if (!child) {
    execv(words[0], words);
    fail(words[0]);
  }
  if (waitpid(child, &status, 0) < 0 || status) {
    printf("lab: %s %s %s %s: status %d\n", words[0], words[1], words[2], words[3], status);
    off();
  }
}

static void namespace(void) {
  if (unshare(CLONE_NEWNET))
    fail("a namespace");
  int s = socket(AF_INET, SOCK_DGRAM, 0);
  struct ifreq request = {.ifr_name = "lo"};
  ioctl(s, SIOCGIFFLAGS, &request);
  request.ifr_flags |= IFF_UP;
  ioctl(s, SIOCSIFFLAGS, &request);
  close(s);
  set("/proc/sys/net/ipv4/tcp_no_metrics_save", "1");
  set("/proc/sys/net/ipv4/tcp_rmem", "4096 %ld 67108864", receive_buffer);
  set("/proc/sys/net/ipv4/tcp_wmem", "4096 65536 67108864");
  set("/proc/sys/net/ipv4/tcp_ecn", "%d", ecn);
  set("/proc/sys/net/ipv4/conf/all/rp_filter", "0");
}

static int tun(const char *name, const char *address, const char *peer) {
  int file = open("/dev/net/tun", O_RDWR | O_NONBLOCK);
  struct ifreq request = {.ifr_flags = IFF_TUN | IFF_NO_PI};
  strcpy(request.ifr_name, name);
  if (file < 0 || ioctl(file, TUNSETIFF, &request))
    fail("a TUN device");
  run("/bin/ip addr add %s/32 dev %s", address, name);
  run("/bin/ip link set dev %s txqueuelen 10000%s up", name, gso ? "" : " gso_max_segs 1");
  run("/bin/ip route add %s dev %s", peer, name);
  return file;
}

/* The two ends. */

static void connect_flow(int i, int *sock) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(PORT + i)};
  inet_pton(AF_INET, "10.0.0.2", &to.sin_addr);
  *sock = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (setsockopt(*sock, IPPROTO_TCP, TCP_CONGESTION, flows[i].control, strlen(flows[i].control)))
    fail(flows[i].control);
  if (connect(*sock, (void *)&to, sizeof to) && errno != EINPROGRESS)
    fail("connect");
}

static void sample(FILE *file, int sock, nanoseconds at) {
  struct tcp_info t = {0};
  socklen_t length = sizeof t;
  if (getsockopt(sock, IPPROTO_TCP, TCP_INFO, &t, &length))
    fail("TCP_INFO");
  fprintf(file, "%lu,%u,%u,%u,%u,%u,%llu\n", at / 1000, t.tcpi_snd_cwnd, t.tcpi_snd_ssthresh, t.tcpi_rtt,
          t.tcpi_ca_state, t.tcpi_total_retrans, (unsigned long long)t.tcpi_bytes_acked);
}

static void send_all(nanoseconds begin) {
  static char data[262144];
  FILE *files[FLOWS];
  int socks[FLOWS];
  uint64_t left[FLOWS];
  struct pollfd polled[FLOWS + 1];
  nanoseconds end = begin + (nanoseconds)(stop * SECOND);
  for (int i = 0; i < flow_count; i++) {
    char name[16];
    snprintf(name, sizeof name, "flow%d", i);
    files[i] = table(name, "t_us,cwnd,ssthresh,rtt_us,state,retransmissions,bytes_acked");
    socks[i] = -1;
    left[i] = flows[i].size ? flows[i].size : ~0ull;
  }
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  struct itimerspec every = {{0, SAMPLE}, {begin / SECOND, begin % SECOND}};
  timerfd_settime(timer, TFD_TIMER_ABSTIME, &every, 0);
  for (;;) {
    polled[flow_count] = (struct pollfd){timer, POLLIN, 0};
    for (int i = 0; i < flow_count; i++)
      polled[i] = (struct pollfd){left[i] ? socks[i] : -1, POLLOUT, 0};
    if (poll(polled, flow_count + 1, -1) < 0)
      fail("poll");
    nanoseconds t = now();
    if (polled[flow_count].revents) {
      uint64_t ticks;
      if (read(timer, &ticks, sizeof ticks) < 0)
        continue;
      for (int i = 0; i < flow_count; i++) {
        if (socks[i] < 0 && t >= begin + (nanoseconds)(flows[i].start * SECOND) && t < end)
          connect_flow(i, &socks[i]);
        if (socks[i] >= 0)
          sample(files[i], socks[i], t - begin);
      }
      if (t >= end)
        break;
    }
    for (int i = 0; i < flow_count; i++) {
      if (polled[i].fd < 0 || !(polled[i].revents & POLLOUT))
        continue;
      size_t most = left[i] < sizeof data ? left[i] : sizeof data;
      ssize_t sent = send(socks[i], data, most, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent < 0 && errno != EAGAIN)
        fail("send");
      if (sent > 0 && left[i] != ~0ull)
        left[i] -= sent;
      if (!left[i])
        shutdown(socks[i], SHUT_WR);
    }
  }
  for (int i = 0; i < flow_count; i++)
    fclose(files[i]);
  _exit(0);
}

static void receive_all(void) {
  static char data[1 << 20];
  for (int i = 0; i < flow_count; i++) {
    if (i < flow_count - 1 && fork())
      continue;
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons(PORT + i)};
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    /* DCTCP's receiver echoes marks otherwise, and it accepts a marked SYN. */
    setsockopt(listener, IPPROTO_TCP, TCP_CONGESTION, flows[i].control, strlen(flows[i].control));
    if (bind(listener, (void *)&here, sizeof here) || listen(listener, 4))
      fail("listen");
    int sock = accept(listener, 0, 0);
    while (read(sock, data, sizeof data) > 0)
      ;
    close(sock);
    for (;;)
      pause();
  }
}

/* A router with the kernel's own queues. All propagation is on the receiver's way out. */

static pid_t end_of_veth(int go, const char *dev, const char *address, const char *net, const char *mac,
                         const char *gateway, const char *gateway_mac) {
  char byte;
  namespace();
  pid_t child = fork();
  if (child)
    return child;
  if (read(go, &byte, 1) != 1)
    fail("pipe");
  run("/bin/ip addr add %s/24 dev %s", address, dev);
  run("/bin/ip link set dev %s%s address %s", dev, gso ? "" : " gso_max_segs 1", mac);
  run("/bin/ip link set dev %s up", dev);
  run("/bin/ip route add %s via %s", net, gateway);
  run("/bin/ip neigh add %s lladdr %s dev %s nud permanent", gateway, gateway_mac, dev);
  return 0;
}

static void routed(nanoseconds begin) {
  int to_sender[2], to_receiver[2], status;
  if (pipe(to_sender) || pipe(to_receiver))
    fail("pipe");
  pid_t sender = end_of_veth(to_sender[0], "s", "10.1.0.1", "10.0.0.0/24", "02:00:00:00:00:01", "10.1.0.2",
                             "02:00:00:00:00:02");
  if (!sender)
    send_all(begin);
  pid_t receiver = end_of_veth(to_receiver[0], "d", "10.0.0.2", "10.1.0.0/24", "02:00:00:00:00:04", "10.0.0.3",
                               "02:00:00:00:00:03");
  if (!receiver) {
    run("/bin/tc qdisc add dev d root netem delay %luus limit 1000000", 2 * delay / 1000);
    receive_all();
  }
  namespace();
  set("/proc/sys/net/ipv4/ip_forward", "1");
  run("/bin/ip link add rs type veth peer name s netns %d", sender);
  run("/bin/ip link add rd type veth peer name d netns %d", receiver);
  run("/bin/ip addr add 10.1.0.2/24 dev rs");
  run("/bin/ip addr add 10.0.0.3/24 dev rd");
  run("/bin/ip link set dev rs address 02:00:00:00:00:02");
  run("/bin/ip link set dev rd address 02:00:00:00:00:03");
  run("/bin/ip link set dev rs up");
  run("/bin/ip link set dev rd up");
  run("/bin/ip neigh add 10.1.0.1 lladdr 02:00:00:00:00:01 dev rs nud permanent");
  run("/bin/ip neigh add 10.0.0.2 lladdr 02:00:00:00:00:04 dev rd nud permanent");
  if (discipline[0]) {
    run("/bin/tc qdisc add dev rd root handle 1: tbf rate %.0fbit burst 1540 limit 100000000", rate);
    run("/bin/tc qdisc add dev rd parent 1:1 handle 10: %s", discipline);
  } else if (loss > 0)
    run("/bin/tc qdisc add dev rd root netem limit %d rate %.0fbit -14 loss random %.4f%%", limit, rate, loss * 100);
  else
    run("/bin/tc qdisc add dev rd root netem limit %d rate %.0fbit -14", limit, rate);
  if (write(to_sender[1], "x", 1) != 1 || write(to_receiver[1], "x", 1) != 1)
    fail("pipe");
  waitpid(sender, &status, 0);
}

/* This program as the network: two TUN devices, a queue and a delay each way. */

struct packet {
  nanoseconds at;
  struct packet *next;
  int to, length;
  unsigned char bytes[];
};
static struct packet *first;

static void schedule(struct packet *packet) {
  struct packet **place = &first;
  while (*place && (*place)->at <= packet->at)
    place = &(*place)->next;
  packet->next = *place;
  *place = packet;
}

static uint32_t word(const unsigned char *at) { return (uint32_t)at[0] << 24 | at[1] << 16 | at[2] << 8 | at[3]; }

static void mark(unsigned char *ip) {
  uint32_t sum = 0;
  ip[1] |= 3;
  ip[10] = ip[11] = 0;
  for (int i = 0; i < (ip[0] & 15) * 4; i += 2)
    sum += ip[i] << 8 | ip[i + 1];
  sum = (sum & 65535) + (sum >> 16);
  sum = ~((sum & 65535) + (sum >> 16));
  ip[10] = sum >> 8;
  ip[11] = sum;
}

static int listed(int number) {
  for (int i = 0; i < drop_count; i++)
    if (drops[i] == number)
      return 1;
  return 0;
}

/* The row of a packet: sequence numbers count from the SYN's. */
static void note(FILE *file, nanoseconds at, const unsigned char *ip, int length, int forward, int number,
                 const char *event) {
  static uint32_t zero[2];
  const unsigned char *tcp = ip + (ip[0] & 15) * 4;
  int payload = length - (ip[0] & 15) * 4 - (tcp[12] >> 4) * 4;
  if (tcp[13] & 2)
    zero[forward] = word(tcp + 4);
  fprintf(file, "%.3f,%s,%s,%d,%u,%d,%u\n", at / 1e3, forward ? "data" : "ack", event, number,
          word(tcp + 4) - zero[forward], payload, tcp[13] & 16 ? word(tcp + 8) - zero[!forward] : 0);
}

static void forwarded(nanoseconds begin) {
  static unsigned char bytes[65536];
  static nanoseconds leaving[RING]; /* when packets of the queue leave it */
  unsigned head = 0, tail = 0;
  nanoseconds free_at[2] = {0, 0}, armed = 0, end = begin + (nanoseconds)(stop * SECOND);
  int number = 0, ends[2], status; /* ends[1] is the sender's */
  FILE *packets = hold >= 0 || drop_count ? table("packets", "t_us,direction,event,number,seq,length,ack") : 0;
  namespace();
  ends[1] = tun("s", "10.0.0.1", "10.0.0.2");
  pid_t sender = fork();
  if (!sender)
    send_all(begin);
  namespace();
  ends[0] = tun("d", "10.0.0.2", "10.0.0.1");
  if (!fork())
    receive_all();
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  struct pollfd polled[3] = {{ends[0], POLLIN, 0}, {ends[1], POLLIN, 0}, {timer, POLLIN, 0}};
  for (;;) {
    if (poll(polled, 3, -1) < 0)
      fail("poll");
    nanoseconds t = now();
    if (t > end)
      break;
    if (polled[2].revents) {
      uint64_t ticks;
      armed = read(timer, &ticks, sizeof ticks) < 0 ? armed : 0;
    }
    while (first && first->at <= t) {
      struct packet *packet = first;
      first = packet->next;
      if (write(packet->to, packet->bytes, packet->length) < 0)
        fail("write");
      free(packet);
    }
    for (int forward = 0; forward < 2; forward++) {
      int length;
      while (polled[forward].revents && (length = read(ends[forward], bytes, sizeof bytes)) > 0) {
        if (bytes[0] >> 4 != 4 || bytes[9] != IPPROTO_TCP)
          continue;
        int mine = forward ? number++ : 0;
        const char *event = "send";
        nanoseconds extra = 0;
        if (forward) {
          while (head != tail && leaving[head % RING] <= t)
            head++;
          if (listed(mine))
            event = "lost";
          else if ((int)(tail - head) >= limit)
            event = "full";
          else if (mark_at && (int)(tail - head) >= mark_at && bytes[1] & 3)
            mark(bytes);
          extra = mine == hold ? held : 0;
        }
        if (packets)
          note(packets, t - begin, bytes, length, forward, mine, event);
        if (strcmp(event, "send"))
          continue;
        free_at[forward] = (free_at[forward] > t ? free_at[forward] : t) + (nanoseconds)(length * 8e9 / rate + 0.5);
        if (forward)
          leaving[tail++ % RING] = free_at[forward];
        struct packet *packet = malloc(sizeof *packet + length);
        *packet = (struct packet){.at = free_at[forward] + delay + extra, .to = ends[!forward], .length = length};
        memcpy(packet->bytes, bytes, length);
        schedule(packet);
      }
    }
    nanoseconds want = first ? first->at : end + 1;
    if (want != armed) {
      struct itimerspec once = {{0, 0}, {want / SECOND, want % SECOND}};
      timerfd_settime(timer, TFD_TIMER_ABSTIME, &once, 0);
      armed = want;
    }
  }
  waitpid(sender, &status, 0);
  if (packets)
    fclose(packets);
}

int main(void) {
  setvbuf(stdout, 0, _IOLBF, 0);
  mount("proc", "/proc", "proc", 0, 0);
  mount("sys", "/sys", "sysfs", 0, 0);
  snprintf(base, sizeof base, "/cells/%s", getenv("CELL"));
  read_cell();
  set("/proc/sys/net/core/rmem_max", "67108864");
  set("/proc/sys/net/core/wmem_max", "67108864");
  if (!hystart)
    set("/sys/module/tcp_cubic/parameters/hystart", "0");
  nanoseconds begin = (now() / SECOND + 2) * SECOND;
  if (netem)
    routed(begin);
  else
    forwarded(begin);
  printf("lab: done\n");
  off();
}

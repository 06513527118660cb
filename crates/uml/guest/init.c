/* The first and only program of a guest that is both ends of a flow: A in the first network namespace, B in another.
 *
 * The environment, from the kernel's command line, says what to do:
 *   CONTROL  congestion control of both ends
 *   BEGIN    when A connects, nanoseconds of CLOCK_MONOTONIC
 *   STOP     when A offers no more data, likewise
 *   SIZE     bytes that A sends; 0 is without end
 *   ECN      value of net.ipv4.tcp_ecn
 *   BUFFER   default of B's receive buffer, bytes
 *
 * Every 10 ms A sends its TCP_INFO as an Ethernet frame of type 88B5 (IEEE 802, local experiments), which the network reads
 * and does not carry. A guest never ends by itself, unless it cannot go on.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/ethtool.h>
#include <linux/if_packet.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <net/if.h>
#include <net/if_arp.h>
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
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000ull
#define EVERY (10 * 1000 * 1000)
#define TYPE 0x88B5
#define PORT 5000

static void fail(const char *what) {
  printf("init: %s: %s\n", what, strerror(errno));
  fflush(0);
  reboot(RB_POWER_OFF);
  _exit(1);
}

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * SECOND + t.tv_nsec;
}

static const char *given(const char *name) {
  const char *value = getenv(name);
  if (!value)
    fail(name);
  return value;
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

/* Gives a device to the namespace of a process, or limits its trains of segments to one. */
static void set_link(const char *name, int attribute, uint32_t value) {
  struct {
    struct nlmsghdr header;
    struct ifinfomsg link;
    struct rtattr attribute;
    uint32_t value;
  } request = {
      .header = {sizeof request, RTM_SETLINK, NLM_F_REQUEST | NLM_F_ACK, 0, 0},
      .link = {.ifi_index = if_nametoindex(name)},
      .attribute = {RTA_LENGTH(sizeof(uint32_t)), attribute},
      .value = value,
  };
  char answer[512];
  int s = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
  if (send(s, &request, sizeof request, 0) < 0 || recv(s, answer, sizeof answer, 0) < 0)
    fail("netlink");
  struct nlmsgerr *error = NLMSG_DATA((struct nlmsghdr *)answer);
  errno = -error->error;
  if (error->error)
    fail(name);
  close(s);
}

static struct sockaddr_in address(const char *text, int port) {
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port)};
  inet_pton(AF_INET, text, &a.sin_addr);
  return a;
}

static void up(int s, const char *name) {
  struct ifreq request = {0};
  strcpy(request.ifr_name, name);
  ioctl(s, SIOCGIFFLAGS, &request);
  request.ifr_flags |= IFF_UP | IFF_RUNNING;
  if (ioctl(s, SIOCSIFFLAGS, &request))
    fail(name);
}

/* Sets up one end: its device, address, neighbour and sysctls. */
static void end_of_flow(const char *device, const char *here, const char *there, int peer) {
  int s = socket(AF_INET, SOCK_DGRAM, 0);
  struct ifreq request = {0};
  struct sockaddr_in own = address(here, 0), net = address("255.255.255.0", 0), other = address(there, 0);
  set("/proc/sys/net/ipv4/tcp_no_metrics_save", "1");
  set("/proc/sys/net/ipv4/tcp_rmem", "4096 %s 67108864", given("BUFFER"));
  set("/proc/sys/net/ipv4/tcp_wmem", "4096 65536 67108864");
  set("/proc/sys/net/ipv4/tcp_ecn", "%s", given("ECN"));
  set_link(device, IFLA_GSO_MAX_SEGS, 1);
  up(s, "lo");
  strcpy(request.ifr_name, device);
  memcpy(&request.ifr_addr, &own, sizeof own);
  if (ioctl(s, SIOCSIFADDR, &request))
    fail("an address");
  memcpy(&request.ifr_addr, &net, sizeof net);
  ioctl(s, SIOCSIFNETMASK, &request);
  struct ethtool_value no_gso = {ETHTOOL_SGSO, 0}, no_gro = {ETHTOOL_SGRO, 0};
  request.ifr_data = (void *)&no_gso;
  if (ioctl(s, SIOCETHTOOL, &request))
    fail("GSO");
  request.ifr_data = (void *)&no_gro;
  if (ioctl(s, SIOCETHTOOL, &request))
    fail("GRO");
  request.ifr_qlen = 10000;
  ioctl(s, SIOCSIFTXQLEN, &request);
  up(s, device);
  struct arpreq neighbour = {.arp_ha = {ARPHRD_ETHER, {2, 0, 0, 0, 0, peer}}, .arp_flags = ATF_COM | ATF_PERM};
  memcpy(&neighbour.arp_pa, &other, sizeof other);
  strcpy(neighbour.arp_dev, device);
  if (ioctl(s, SIOCSARP, &neighbour))
    fail("a neighbour");
  close(s);
}

/* Finds one of the counters of TCP in this namespace, whose names and values are two lines. */
static uint64_t counter(char *names, char *values, const char *name) {
  char *a, *b, *one = strtok_r(names, " \n", &a), *other = strtok_r(values, " \n", &b);
  for (; one && other; one = strtok_r(0, " \n", &a), other = strtok_r(0, " \n", &b))
    if (!strcmp(one, name))
      return strtoull(other, 0, 10);
  return 0;
}

static void counters(uint32_t found[2]) {
  static const char *names[] = {"TCPSackRecovery", "TCPTimeouts"};
  static char text[16384], first[2][8192];
  int file = open("/proc/net/netstat", O_RDONLY), length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0)
    fail("netstat");
  text[length] = 0;
  char *line = strchr(text, '\n');
  if (!line)
    fail("netstat");
  for (int i = 0; i < 2; i++) {
    snprintf(first[0], sizeof first[0], "%.*s", (int)(line - text), text);
    snprintf(first[1], sizeof first[1], "%.*s", (int)strcspn(line + 1, "\n"), line + 1);
    found[i] = counter(first[0], first[1], names[i]);
  }
}

struct sample {
  unsigned char to[6], from[6];
  uint16_t type;
  uint32_t values[9];
} __attribute__((packed));

/* Sends a sample of the connection; returns 0 once it is closed. */
static int report(int raw, int sock) {
  static uint32_t again, found[2];
  struct sample frame = {.to = {2, 0, 0, 0, 0, 255}, .from = {2, 0, 0, 0, 0, 1}, .type = htons(TYPE)};
  struct tcp_info t = {0};
  socklen_t length = sizeof t;
  if (getsockopt(sock, IPPROTO_TCP, TCP_INFO, &t, &length))
    fail("TCP_INFO");
  if (t.tcpi_total_retrans != again)
    counters(found);
  again = t.tcpi_total_retrans;
  uint32_t values[] = {t.tcpi_snd_cwnd, t.tcpi_snd_ssthresh, t.tcpi_rtt,          t.tcpi_rto, t.tcpi_ca_state,
                       t.tcpi_unacked,  found[0],            found[1], t.tcpi_state};
  memcpy(frame.values, values, sizeof values);
  if (send(raw, &frame, sizeof frame, 0) < 0 && errno != ENOBUFS)
    fail("a sample");
  return t.tcpi_state != 7; /* TCP_CLOSE */
}

static void send_data(void) {
  static char data[262144];
  uint64_t begin = strtoull(given("BEGIN"), 0, 10), stop = strtoull(given("STOP"), 0, 10);
  uint64_t left = strtoull(given("SIZE"), 0, 10);
  const char *control = given("CONTROL");
  int endless = !left, offering = 1, live = 1;
  struct sockaddr_ll out = {.sll_family = AF_PACKET, .sll_protocol = htons(TYPE), .sll_ifindex = if_nametoindex("eth0")};
  int raw = socket(AF_PACKET, SOCK_RAW, 0), sock = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  struct itimerspec every = {{0, EVERY}, {begin / SECOND, begin % SECOND}};
  struct sockaddr_in to = address("10.0.0.2", PORT);
  uint64_t ticks;
  if (raw < 0 || bind(raw, (void *)&out, sizeof out))
    fail("a raw socket");
  if (setsockopt(sock, IPPROTO_TCP, TCP_CONGESTION, control, strlen(control)))
    fail(control);
  timerfd_settime(timer, TFD_TIMER_ABSTIME, &every, 0);
  struct pollfd polled[2] = {{timer, POLLIN, 0}, {-1, POLLOUT, 0}};
  printf("init: ready at %lu\n", now());
  if (now() >= begin)
    fail("too late");
  while (live) {
    if (poll(polled, 2, -1) < 0)
      fail("poll");
    if (polled[0].revents) {
      if (read(timer, &ticks, sizeof ticks) < 0)
        continue;
      if (polled[1].fd < 0 && offering) {
        if (connect(sock, (void *)&to, sizeof to) && errno != EINPROGRESS)
          fail("connect");
        polled[1].fd = sock;
      }
      live = report(raw, sock);
    }
    if (polled[1].fd >= 0 && polled[1].revents) {
      size_t most = endless || left > sizeof data ? sizeof data : left;
      ssize_t sent = now() < stop ? send(sock, data, most, MSG_NOSIGNAL | MSG_DONTWAIT) : 0;
      if (sent < 0 && errno != EAGAIN)
        fail("send");
      if (sent > 0 && !endless)
        left -= sent;
      if (now() >= stop || (!endless && !left)) {
        shutdown(sock, SHUT_WR);
        polled[1].fd = -1;
        offering = 0;
      }
    }
  }
  for (;;)
    pause();
}

static void receive_data(void) {
  static char data[1 << 20];
  struct sockaddr_in here = address("10.0.0.2", PORT);
  const char *control = given("CONTROL");
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  setsockopt(listener, IPPROTO_TCP, TCP_CONGESTION, control, strlen(control));
  if (bind(listener, (void *)&here, sizeof here) || listen(listener, 4))
    fail("listen");
  int sock = accept(listener, 0, 0);
  while (read(sock, data, sizeof data) > 0)
    ;
  close(sock);
  for (;;)
    pause();
}

int main(void) {
  int ready[2];
  char byte;
  setvbuf(stdout, 0, _IOLBF, 0);
  mount("proc", "/proc", "proc", 0, 0);
  set("/proc/sys/net/core/rmem_max", "67108864");
  set("/proc/sys/net/core/wmem_max", "67108864");
  if (pipe(ready))
    fail("pipe");
  pid_t other = fork();
  if (!other) {
    if (unshare(CLONE_NEWNET))
      fail("a namespace");
    if (write(ready[1], "x", 1) != 1)
      fail("pipe");
    while (!if_nametoindex("eth1"))
      usleep(1000);
    end_of_flow("eth1", "10.0.0.2", "10.0.0.1", 1);
    receive_data();
  }
  if (read(ready[0], &byte, 1) != 1)
    fail("pipe");
  set_link("eth1", IFLA_NET_NS_PID, other);
  end_of_flow("eth0", "10.0.0.1", "10.0.0.2", 2);
  send_data();
}

# ns-2 in its best configuration: N stations around a sink, 802.11b at 11 Mb/s, TCP to the sink. Arguments: N, seconds.
set stations [lindex $argv 0]
set duration [lindex $argv 1]
remove-all-packet-headers
add-packet-header IP TCP Flags LL Mac ARP
set ns [new Simulator]
$ns use-scheduler Splay
$ns trace-all [open /dev/null w]
Mac/802_11 set dataRate_ 11Mb
Mac/802_11 set basicRate_ 1Mb
Mac/802_11 set RTSThreshold_ 3000
Agent/TCP set packetSize_ 1460
set topography [new Topography]
$topography load_flatgrid 100 100
create-god [expr $stations + 1]
$ns node-config -adhocRouting DumbAgent -llType LL -macType Mac/802_11 \
    -ifqType Queue/DropTail/PriQueue -ifqLen 50 -antType Antenna/OmniAntenna \
    -propType Propagation/TwoRayGround -phyType Phy/WirelessPhy \
    -channel [new Channel/WirelessChannel] -topoInstance $topography \
    -agentTrace OFF -routerTrace OFF -macTrace OFF -movementTrace OFF
for {set i 0} {$i <= $stations} {incr i} {
    set node($i) [$ns node]
    $node($i) random-motion 0
    set radius [expr $i ? 5 : 0]
    set angle [expr 6.283185307 * $i / $stations]
    $node($i) set X_ [expr 50 + $radius * cos($angle)]
    $node($i) set Y_ [expr 50 + $radius * sin($angle)]
    $node($i) set Z_ 0
}
for {set i 1} {$i <= $stations} {incr i} {
    set tcp($i) [new Agent/TCP/Sack1]
    set sink [new Agent/TCPSink/Sack1/DelAck]
    $ns attach-agent $node($i) $tcp($i)
    $ns attach-agent $node(0) $sink
    $ns connect $tcp($i) $sink
    set ftp [new Application/FTP]
    $ftp attach-agent $tcp($i)
    $ns at [expr 0.1 * $i / $stations] "$ftp start"
}
proc finish {} {
    global stations tcp
    set packets 0
    for {set i 1} {$i <= $stations} {incr i} { incr packets [$tcp($i) set ack_] }
    puts "bytes [expr $packets * 1460]"
    exit 0
}
$ns at $duration finish
$ns run

package touchline.api.app;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import touchline.config.ServerConfig;

/** Checks whether the listeners' ports are free, or held by this server. One thread. */
final class PortChecks {
    private final ServerConfig config;
    private final BooleanSupplier serverRuns;

    /**
     * @param serverRuns whether a server of this configuration answers
     */
    PortChecks(ServerConfig config, BooleanSupplier serverRuns) {
        this.config = config;
        this.serverRuns = serverRuns;
    }

    List<Finding> run() {
        List<Finding> findings = new ArrayList<>();
        findings.add(port("api", config.api().host(), config.api().port()));
        findings.add(port("playback", config.playback().host(), config.playback().port()));
        findings.add(port("rtmp", config.rtmp().host(), config.rtmp().port()));
        if (config.cluster().enabled()) {
            findings.add(port("cluster", config.cluster().host(), config.cluster().port()));
        }
        config.tls()
                .rtmpsPort()
                .ifPresent(port -> findings.add(port("rtmps", config.rtmp().host(), port)));
        return findings;
    }

    private Finding port(String name, String host, int port) {
        String subject = name + " port";
        String place = host + ":" + port;
        if (port == 0) {
            return Finding.ok(subject, host + ", any free port");
        }
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getByName(host), port));
            return Finding.ok(subject, place + " is free");
        } catch (BindException e) {
            return inUse(subject, name, place, e);
        } catch (IOException e) {
            return Finding.fail(subject, place + ": " + e, "set " + name + ".host");
        }
    }

    private Finding inUse(String subject, String name, String place, BindException e) {
        String reason = String.valueOf(e.getMessage());
        if (reason.contains("Permission denied")) {
            return Finding.fail(
                    subject,
                    place + ": " + reason,
                    "set a port from 1024 on, or net.ipv4.ip_unprivileged_port_start");
        }
        if (reason.contains("assign")) {
            return Finding.fail(
                    subject, place + ": not an address of this host", "set " + name + ".host");
        }
        if (serverRuns.getAsBoolean()) {
            return Finding.ok(subject, place + " is held by the running server");
        }
        String port = place.substring(place.lastIndexOf(':') + 1);
        return Finding.fail(
                subject,
                place + " is in use",
                "`ss -ltnp 'sport = :%s'` shows the process; or set %s.port".formatted(port, name));
    }
}

package touchline.api.app;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import touchline.api.access.ClusterChecks;
import touchline.api.access.MasterKeys;
import touchline.api.cluster.NodeCallException;
import touchline.api.cluster.NodeClient;
import touchline.api.cluster.NodeReport;
import touchline.api.cluster.NodeSignature;
import touchline.api.db.ClusterInspection;
import touchline.api.db.DatabaseException;
import touchline.api.db.NodeSettings;
import touchline.config.ServerConfig;

/** Checks what this host would be as a node of a cluster ({@code doctor --cluster}). One thread. */
final class ClusterDoctor {
    private static final String SUBJECT = "cluster";
    private static final Duration MAX_CLOCK = Duration.ofSeconds(30);
    private static final Duration USUAL_CLOCK = Duration.ofMillis(500);
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final ServerConfig config;

    ClusterDoctor(ServerConfig config) {
        this.config = config;
    }

    List<Finding> run() {
        if (!config.cluster().enabled()) {
            return List.of(
                    Finding.warn(
                            SUBJECT,
                            "cluster.enabled is false",
                            "set it to true on every node, see docs/cluster.md"));
        }
        // A configuration with cluster.enabled has both.
        MasterKeys keys = MasterKeys.load(config.auth().masterKey(), config.dataDir());
        NodeSettings node =
                ServerCluster.settings(
                        config, ClusterChecks.of(keys, config.auth().adminSecret().orElseThrow()));
        try {
            ClusterInspection seen = ClusterInspection.of(config.db(), config.dataDir(), node);
            List<Finding> findings = findings(node, seen);
            findings.addAll(reached(node, keys, seen));
            return findings;
        } catch (DatabaseException e) {
            return List.of(
                    Finding.fail(
                            SUBJECT,
                            String.valueOf(e.getMessage()),
                            "start the first node alone: it makes the tables"));
        }
    }

    static List<Finding> findings(NodeSettings node, ClusterInspection seen) {
        List<Finding> findings = new ArrayList<>();
        findings.add(
                Finding.ok(
                        SUBJECT,
                        "node %s, beside %s"
                                .formatted(
                                        node.id(),
                                        seen.others().isEmpty()
                                                ? "no other node that runs"
                                                : String.join(
                                                        ", ",
                                                        seen.others().stream()
                                                                .map(NodeSettings::id)
                                                                .toList()))));
        findings.add(clock(seen.clockAhead()));
        for (NodeSettings other : seen.others()) {
            differs("auth.master-key", node.keyCheck(), other.keyCheck(), other)
                    .ifPresent(findings::add);
            differs("auth.admin-secret", node.secretCheck(), other.secretCheck(), other)
                    .ifPresent(findings::add);
            if (!node.configHash().equals(other.configHash())) {
                findings.add(
                        Finding.warn(
                                SUBJECT,
                                "node " + other.id() + " has other values of packager.*, encoder.*",
                                "give all nodes the same"));
            }
        }
        if (!seen.isDurable()) {
            findings.add(
                    Finding.warn(
                            SUBJECT,
                            "commits of the database wait for no standby",
                            "if PostgreSQL fails over, set synchronous_standby_names"));
        }
        return findings;
    }

    /** Whether the other nodes answer this host, at the addresses that they advertise. */
    private List<Finding> reached(NodeSettings node, MasterKeys keys, ClusterInspection seen) {
        InstantSource clock = () -> Instant.now().plus(seen.clockAhead());
        Optional<X509Certificate> own =
                config.tls().cert().map(pem -> TlsFiles.certificates(pem).getFirst());
        List<Finding> findings = new ArrayList<>();
        try (NodeClient client =
                new NodeClient(
                        new NodeSignature(keys, node.id(), clock),
                        NodeTrust.of(() -> own, config.publicUrls().playbackUrl().getHost()))) {
            seen.controlUrls().forEach((id, url) -> findings.add(reached(client, id, url)));
        }
        findings.add(
                Finding.ok(
                        SUBJECT,
                        "other nodes are told " + AdvertisedHost.addresses(config).control()));
        return findings;
    }

    private static Finding reached(NodeClient client, String id, String url) {
        if (url.isEmpty()) {
            return Finding.warn(
                    SUBJECT, "node " + id + " has not opened its port for nodes yet", "try again");
        }
        try {
            NodeReport report = client.state(id, url, PATIENCE);
            return report.node().equals(id)
                    ? Finding.ok(SUBJECT, "node " + id + " answers at " + url)
                    : Finding.fail(
                            SUBJECT,
                            "node %s answers at %s, which node %s advertises"
                                    .formatted(report.node(), url, id),
                            "set cluster.advertise at node " + id);
        } catch (NodeCallException e) {
            return Finding.fail(
                    SUBJECT,
                    "node " + id + " does not answer at " + url + ": " + e.getMessage(),
                    "open its cluster.port to this host, or set cluster.advertise there");
        }
    }

    private static Finding clock(Duration ahead) {
        String text = "the clock of the database is %d ms ahead".formatted(ahead.toMillis());
        String advice = "synchronize both hosts, for example with chrony";
        if (ahead.abs().compareTo(MAX_CLOCK) > 0) {
            return Finding.fail(SUBJECT, text, advice);
        }
        return ahead.abs().compareTo(USUAL_CLOCK) >= 0
                ? Finding.warn(SUBJECT, text, advice)
                : Finding.ok(SUBJECT, text);
    }

    private static Optional<Finding> differs(
            String key, String own, String theirs, NodeSettings other) {
        return own.equals(theirs)
                ? Optional.empty()
                : Optional.of(
                        Finding.fail(
                                SUBJECT,
                                key + " is not that of node " + other.id(),
                                "give all nodes the same"));
    }
}

package touchline.benchmarks.home;

import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import touchline.benchmarks.cluster.ClusterDatabase;
import touchline.benchmarks.cluster.ClusterNode;
import touchline.benchmarks.load.TouchlineServer;
import touchline.benchmarks.s3.S3Process;

/**
 * Two nodes of a cluster with recordings in S3. One thread.
 *
 * @param home records
 * @param other has recorded nothing
 */
record Nodes(TouchlineServer home, TouchlineServer other) {
    /** Variables of a server that keeps its recordings in S3. */
    static Map<String, String> environment(S3Process s3) {
        return S3Process.environment(URI.create("http://127.0.0.1:" + s3.port()));
    }

    /** Starts a node, and returns when it serves; the caller closes it. */
    static TouchlineServer start(String name, ClusterDatabase database, S3Process s3)
            throws IOException, InterruptedException {
        Map<String, String> all = new HashMap<>(database.environment());
        all.putAll(environment(s3));
        return TouchlineServer.startFromClassPath(
                ClusterNode.settings(name, TouchlineServer.freePort(), all));
    }

    /** Starts the other node again with an empty disk: it has nothing of any recording then. */
    void emptyOther() throws IOException, InterruptedException {
        other.process().destroy();
        int _ = other.awaitExit();
        other.removeData();
        other.restart();
    }

    /** How many files the other node has brought from S3 since its start. */
    long fetchedFiles() throws IOException, InterruptedException {
        return (long) other.metric("touchline_s3_fetch_files_total");
    }
}

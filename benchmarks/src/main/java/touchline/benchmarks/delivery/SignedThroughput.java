package touchline.benchmarks.delivery;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import touchline.benchmarks.load.LiveEdge;
import touchline.benchmarks.load.LowLatencyPlaylist;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.load.TouchlineServer;

/**
 * What it costs that every request below a signed playback id is checked: requests per CPU second
 * of the same segment and the same part under a signed and under a public id of one stream, in
 * turn.
 */
final class SignedThroughput {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final int WARM_UP_SECONDS = 4;

    private final TouchlineServer server;
    private final Report report;

    /**
     * @param server its first stream is of low latency and runs
     */
    SignedThroughput(TouchlineServer server, Report report) {
        this.server = server;
        this.report = report;
    }

    void run(int rounds, int seconds) throws IOException, InterruptedException {
        List<List<Object>> rows = new ArrayList<>();
        try (LiveEdge open = LiveEdge.open(server.streams().getFirst().watch(), SOON);
                LiveEdge signed = LiveEdge.open(server.signed().getFirst(), SOON)) {
            for (boolean part : new boolean[] {false, true}) {
                Wrk.run(address(open, part), WARM_UP_SECONDS);
                Wrk.run(address(signed, part), WARM_UP_SECONDS);
            }
            BaseLoad base = BaseLoad.of(server.process());
            for (boolean part : new boolean[] {false, true}) {
                Samples openPerCpu = new Samples();
                Samples signedPerCpu = new Samples();
                for (int turn = 0; turn < 2 * rounds; turn++) {
                    // Public, signed, signed, public: neither is always first.
                    boolean isOpen = turn % 4 == 0 || turn % 4 == 3;
                    LiveEdge edge = isOpen ? open : signed;
                    Samples perCpu = isOpen ? openPerCpu : signedPerCpu;
                    perCpu.add(measure(address(edge, part), seconds, base));
                }
                rows.add(
                        List.of(
                                part ? "part" : "segment",
                                openPerCpu.median(),
                                signedPerCpu.median(),
                                signedPerCpu.median() / openPerCpu.median()));
            }
        }
        report.table(
                "signed", List.of("body", "requests per CPU s, public", "signed", "ratio"), rows);
    }

    private double measure(URI address, int seconds, BaseLoad base)
            throws IOException, InterruptedException {
        WrkTurn turn = WrkTurn.run(server.process(), base, address, seconds);
        if (turn.wrk().errors() > 0) {
            throw new IOException(turn.wrk().errors() + " errors at " + address.getPath());
        }
        return turn.requestsPerCpuSecond();
    }

    private static URI address(LiveEdge edge, boolean part) throws IOException {
        edge.look();
        LowLatencyPlaylist playlist = edge.playlist();
        if (!part) {
            return playlist.segments().getLast().address();
        }
        return Throughput.middlePart(playlist);
    }
}

package touchline.benchmarks.delivery;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.LiveEdge;
import touchline.benchmarks.load.LowLatencyPlaylist;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.load.TouchlineServer;

/**
 * The cost of checking a token with each request: requests per CPU second of the same segment and
 * part under a signed and a public id of one stream, in turns.
 */
final class SignedThroughput {
    private static final int WARM_UP_SECONDS = 4;

    private SignedThroughput() {}

    /**
     * @param stream runs in latency mode low
     */
    static void run(
            TouchlineServer server, LiveAddress stream, int rounds, int seconds, Report report)
            throws IOException, InterruptedException {
        Report.Table table =
                report.table("signed", "body | requests per CPU s, public | signed | ratio");
        try (LiveEdge open = LiveEdge.open(stream.watch(), Throughput.START_LIMIT);
                LiveEdge signed = LiveEdge.open(server.signed(stream), Throughput.START_LIMIT)) {
            for (LiveEdge edge : List.of(open, signed)) {
                Wrk.run(address(edge, /* part= */ false), WARM_UP_SECONDS);
                Wrk.run(address(edge, /* part= */ true), WARM_UP_SECONDS);
            }
            BaseLoad base = BaseLoad.of(server.process());
            for (boolean part : new boolean[] {false, true}) {
                Samples openPerCpu = new Samples();
                Samples signedPerCpu = new Samples();
                for (int turn = 0; turn < 2 * rounds; turn++) {
                    // Public, signed, signed, public: each is first in half of the rounds.
                    boolean isOpen = turn % 4 == 0 || turn % 4 == 3;
                    URI address = address(isOpen ? open : signed, part);
                    WrkTurn wrk = WrkTurn.run(server.process(), base, address, seconds);
                    if (wrk.wrk().errors() > 0) {
                        throw new IOException(
                                wrk.wrk().errors() + " errors at " + address.getPath());
                    }
                    (isOpen ? openPerCpu : signedPerCpu).add(wrk.requestsPerCpuSecond());
                }
                table.row(
                        part ? "part" : "segment",
                        openPerCpu.median(),
                        signedPerCpu.median(),
                        signedPerCpu.median() / openPerCpu.median());
            }
        }
    }

    private static URI address(LiveEdge edge, boolean part) throws IOException {
        LowLatencyPlaylist playlist = edge.load();
        return part ? Throughput.middlePart(playlist) : playlist.segments().getLast().address();
    }
}

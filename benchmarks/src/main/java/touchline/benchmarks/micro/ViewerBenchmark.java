package touchline.benchmarks.micro;

import java.net.InetAddress;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import touchline.media.StreamId;
import touchline.packager.audience.Audience;
import touchline.packager.audience.CmcdReader;
import touchline.packager.audience.StreamViewers;
import touchline.packager.audience.ViewerSession;

/**
 * What counting a viewer adds to a request, by what the player sends; and the work of each second
 * with as many sessions as a server counts.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
public class ViewerBenchmark {
    private static final InetAddress ADDRESS = InetAddress.getLoopbackAddress();
    private static final String AGENT =
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)"
                    + " Chrome/142.0.0.0 Safari/537.36";
    private static final String SESSION =
            "cid=\"match\",sf=h,sid=\"6e2fb550-c457-11e9-bb97-0800200c9a66\",st=ll";
    private static final String OBJECT = "br=2600,d=4000,ot=av,tb=2600";
    private static final String REQUEST = "bl=8200,dl=8200,mtp=48100,nor=\"s10231.m4s\"";
    private static final String QUERY =
            "bl%3D8200%2Cbr%3D2600%2Ccid%3D%22match%22%2Cd%3D4000%2Cdl%3D8200%2Cmtp%3D48100%2C"
                    + "nor%3D%22s10231.m4s%22%2Cot%3Dav%2Csf%3Dh%2Csid%3D%226e2fb550-c457-11e9-bb97"
                    + "-0800200c9a66%22%2Cst%3Dl%2Ctb%3D2600";

    private final CmcdReader reader = new CmcdReader();
    private final Audience audience =
            new Audience(
                    new Audience.Limits(() -> 0, _ -> true),
                    System::nanoTime,
                    InstantSource.system());
    private final StreamViewers stream = audience.open(new StreamId("str_1"));
    private final ViewerSession known = stream.byAddress(ADDRESS, AGENT);

    /** The usual request without CMCD: its connection knows the session. */
    @Benchmark
    public boolean known() {
        return known.asked();
    }

    /** Behind a trusted proxy, or a connection's first request. */
    @Benchmark
    public ViewerSession lookedUp() {
        return stream.byAddress(ADDRESS, AGENT);
    }

    /** CMCD in the query, with the session looked up. */
    @Benchmark
    public ViewerSession query() {
        reader.clear();
        reader.readQuery(QUERY);
        return reported();
    }

    /** CMCD in headers, with the session looked up. */
    @Benchmark
    public ViewerSession headers() {
        reader.clear();
        reader.readHeader(SESSION);
        reader.readHeader(OBJECT);
        reader.readHeader(REQUEST);
        return reported();
    }

    private ViewerSession reported() {
        ViewerSession session = stream.bySid(stream.keyOf(reader), ADDRESS);
        session.reported(reader);
        return session;
    }

    /** Sessions of a full stream. */
    @State(Scope.Benchmark)
    public static class Full {
        private final Audience audience =
                new Audience(
                        new Audience.Limits(() -> 0, _ -> true), () -> 0, InstantSource.system());

        @Setup
        public void fill() {
            CmcdReader reader = new CmcdReader();
            for (int stream = 0; stream < 2; stream++) {
                StreamViewers viewers = audience.open(new StreamId("str_" + stream));
                for (int i = 0; i < 1 << 16; i++) {
                    reader.clear();
                    reader.readHeader("sid=\"" + UUID.randomUUID() + "\"");
                    viewers.bySid(viewers.keyOf(reader), ADDRESS);
                }
            }
        }
    }

    /** Once a second, with 131,072 sessions. */
    @Benchmark
    @OutputTimeUnit(TimeUnit.MICROSECONDS)
    public int tick(Full full) {
        full.audience.tick();
        return full.audience.now();
    }
}

package touchline.api.app;

import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.TimeUnit;
import touchline.ingest.rtmp.RtmpPush;
import touchline.ingest.rtmp.RtmpPushClient;
import touchline.ingest.rtmp.RtmpTarget;
import touchline.media.AccessUnit;
import touchline.media.Timeline;
import touchline.testing.SyntheticStream;

/** An encoder whose access units a test knows, at the speed that the test chooses. */
final class SyntheticPush implements AutoCloseable {
    private final RtmpPushClient client = new RtmpPushClient(RtmpPushClient.Limits.USUAL);
    private final RtmpPush push;
    private final List<AccessUnit> units;
    private int next;

    /**
     * @param address with the stream key
     */
    SyntheticPush(String address, SyntheticStream media) throws Exception {
        int slash = address.lastIndexOf('/');
        RtmpTarget target = RtmpTarget.parse(address.substring(0, slash));
        push =
                client.open(
                        target,
                        address.substring(slash + 1),
                        List.of(InetAddress.getByName(URI.create(address).getHost())));
        push.begin(new Timeline(0, media.tracks(), 0, SyntheticStream.STARTED_AT));
        units = media.units();
    }

    /** Sends all units up to this media time. */
    void sendUntil(double seconds) throws Exception {
        sendUntil(seconds, Double.POSITIVE_INFINITY);
    }

    /**
     * @param speed 1 is that of a camera
     */
    void sendUntil(double seconds, double speed) throws Exception {
        long startNs = System.nanoTime();
        long startUs = next < units.size() ? units.get(next).dtsUs() : 0;
        while (next < units.size() && units.get(next).dtsUs() < seconds * 1e6) {
            AccessUnit unit = units.get(next++);
            long dueNs = startNs + (long) ((unit.dtsUs() - startUs) * 1_000 / speed);
            TimeUnit.NANOSECONDS.sleep(dueNs - System.nanoTime());
            push.write(unit);
            push.flush();
        }
    }

    /** Ends the publish in order. */
    void finish() throws InterruptedException {
        push.finish();
    }

    @Override
    public void close() {
        push.close();
        client.close();
    }
}

package touchline.media.hub;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.AvcConfig;
import touchline.testing.SyntheticStream;

/** Frames keep their content, and so their numbers; they get a track of their own. */
final class CopyingEncoder implements BoundaryEncoder {
    @Override
    public CompletableFuture<Frames> encode(Request request) {
        byte[] config = SyntheticStream.AVC.bytes().toArray(ValueLayout.JAVA_BYTE);
        // Another level.
        config[3]--;
        CodecConfig codec = new CodecConfig.Avc(AvcConfig.parse(MemorySegment.ofArray(config)));
        Track track = new Track(Track.VIDEO_ID, Timescale.VIDEO, codec);
        List<AccessUnit> units = new ArrayList<>();
        request.gop().stream()
                .filter(unit -> unit.ptsTicks() >= request.fromPtsTicks())
                .sorted(Comparator.comparingLong(AccessUnit::ptsTicks))
                .forEach(
                        unit ->
                                units.add(
                                        new AccessUnit(
                                                track,
                                                unit.ptsTicks(),
                                                0,
                                                units.isEmpty(),
                                                unit.payload())));
        return CompletableFuture.completedFuture(new Frames(track, units));
    }
}

package touchline.media.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import touchline.media.AccessUnit;
import touchline.testing.SyntheticStream;

final class HeldMediaTest {
    private static final SyntheticStream MEDIA = SyntheticStream.standard().bFrames(0);

    private final HeldMedia held = new HeldMedia();

    @Test
    void add_beforeTheFirstKeyFrame_isDropped() {
        held.begin(MEDIA.tracks());
        List<AccessUnit> units = MEDIA.seconds(3).units();

        units.subList(5, units.size()).forEach(held::add);

        assertTrue(held.units().getFirst().isKeyFrame());
        assertEquals(2_000_000, held.units().getFirst().dtsUs());
    }

    @Test
    void add_longerThanTheLimit_dropsWholeGops() {
        held.begin(MEDIA.tracks());

        MEDIA.seconds(60).units().forEach(held::add);

        AccessUnit first = held.units().getFirst();
        assertTrue(first.isKeyFrame());
        long heldUs = held.units().getLast().dtsUs() - first.dtsUs();
        assertTrue(
                heldUs <= HeldMedia.MAX_US && heldUs > HeldMedia.MAX_US - 2_100_000, "" + heldUs);
    }

    @Test
    void add_largerThanTheLimit_staysWithinIt() {
        held.begin(MEDIA.tracks());
        MemorySegment large = MemorySegment.ofArray(new byte[1 << 20]);
        for (AccessUnit unit : MEDIA.withoutAudio().seconds(8).units()) {
            held.add(new AccessUnit(unit.track(), unit.dtsTicks(), 0, unit.idr(), large));
            assertTrue(held.bytes() <= HeldMedia.MAX_BYTES, "bytes: " + held.bytes());
        }
        assertTrue(held.units().getFirst().isKeyFrame());
    }

    @Test
    void begin_otherTracks_dropsWhatIsHeld() {
        held.begin(MEDIA.tracks());
        MEDIA.seconds(1).units().forEach(held::add);

        held.begin(MEDIA.tracks());
        assertEquals(77, held.units().size());
        held.begin(MEDIA.withoutAudio().tracks());
        assertTrue(held.isEmpty());
    }

    @Test
    void addShown_keepsOneGop() {
        held.begin(MEDIA.tracks());
        MEDIA.seconds(5).units().forEach(held::addShown);

        assertEquals(4_000_000, held.units().getFirst().dtsUs());
        assertEquals(1, held.units().stream().filter(AccessUnit::isKeyFrame).count());
    }
}

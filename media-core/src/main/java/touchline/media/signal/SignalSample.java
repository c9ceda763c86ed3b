package touchline.media.signal;

import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The signal in one second. Immutable.
 *
 * @param at wall clock at its end
 * @param audio of each channel, left first; empty while no audio is received
 * @param loudnessLufs short-term loudness: the last 3 s (EBU Tech 3341, ITU-R BS.1770-5); empty
 *     without audio
 * @param silentS how long all channels have been below the threshold, in seconds
 * @param blackS how long the video has been black
 * @param frozenS how long the video has not changed
 */
public record SignalSample(
        Instant at,
        List<Level> audio,
        OptionalDouble loudnessLufs,
        double silentS,
        double blackS,
        double frozenS) {
    /** What stands for everything below it, and for digital silence, in dB. */
    public static final double FLOOR_DB = -120;

    public SignalSample {
        audio = List.copyOf(audio);
    }

    /**
     * One channel.
     *
     * @param peakDb largest sample in dBFS; above 0 where a lossy codec passes full scale
     * @param rmsDb root mean square in dBFS; a sine at full scale has -3
     */
    public record Level(double peakDb, double rmsDb) {
        static Level of(double peak, double meanSquare) {
            return new Level(db(peak * peak), db(meanSquare));
        }
    }

    /**
     * @param power 1 = 0 dB
     */
    static double db(double power) {
        return power <= 0 ? FLOOR_DB : Math.max(FLOOR_DB, 10 * Math.log10(power));
    }
}

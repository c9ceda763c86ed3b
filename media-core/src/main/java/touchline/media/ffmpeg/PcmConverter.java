package touchline.media.ffmpeg;

import org.jspecify.annotations.Nullable;

/**
 * Converts audio of any format to a wanted one; audio that has it already passes unchanged. The
 * resampler follows: another format of the input or of the output opens another one. One owner
 * thread.
 */
public final class PcmConverter implements AutoCloseable {
    private @Nullable AudioResampler resampler;

    /**
     * @param rateHz wanted
     * @param channels wanted, 1 to 8
     * @return the same times; a few samples stay buffered until more input arrives
     */
    public Pcm convert(Pcm pcm, int rateHz, int channels) {
        if (pcm.sampleRateHz() == rateHz && pcm.channels() == channels) {
            return pcm;
        }
        AudioResampler open = resampler;
        if (open == null || !open.takes(pcm) || !open.makes(rateHz, channels)) {
            close();
            open = AudioResampler.open(pcm, rateHz, channels);
            resampler = open;
        }
        return open.convert(pcm);
    }

    /** Drops what is buffered. Further audio opens another resampler. */
    @Override
    public void close() {
        if (resampler != null) {
            resampler.close();
            resampler = null;
        }
    }
}

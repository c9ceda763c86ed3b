package touchline.api.cluster.ownership;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code stream_owners}. It and its epoch outlive sessions. Immutable; each method returns
 * the row after one kind of write, which its caller has checked by {@link #heldBy}.
 *
 * @param epoch fencing token: raised by each claim and by the janitor's end of a session. A write
 *     in the name of a lower epoch is rejected.
 * @param owner null where no node owns the stream
 * @param sessionId null where no session runs
 * @param resumableUntilMs database time until which an interrupted session can go on
 * @param floor highest media sequence number that the owner may use; it only rises while the stream
 *     is owned
 * @param initFloor the same for numbers of init sections, which begin anew with each session
 * @param wantedBy node at whose door an encoder of this stream waits, null where none does
 */
public record OwnerRow(
        String streamId,
        long epoch,
        @Nullable NodeRef owner,
        @Nullable String sessionId,
        Phase phase,
        long resumableUntilMs,
        long floor,
        int initFloor,
        @Nullable ResumeRecord resume,
        @Nullable String wantedBy) {
    /** Init numbers that an owner reserves at a time. */
    public static final int INIT_RESERVE = 8;

    /** How far the stream's session is. */
    public enum Phase {
        /** No session. */
        FREE,
        /** A session whose first media has not come. */
        WAITING,
        /** An encoder sends. */
        PUBLISHING,
        /** The encoder has left; the session waits for it. */
        INTERRUPTED
    }

    /** The row of a stream that was never claimed. */
    public static OwnerRow unclaimed(String streamId, long floor) {
        return new OwnerRow(streamId, 0, null, null, Phase.FREE, 0, floor, 0, null, null);
    }

    /**
     * Which node works with a session of the stream.
     *
     * @param epoch under which it does
     */
    public record Activity(NodeRef owner, long epoch) {}

    /** Empty while the stream has no session, or its session no owner. */
    public Optional<Activity> activity() {
        return owner == null || sessionId == null
                ? Optional.empty()
                : Optional.of(new Activity(owner, epoch));
    }

    public boolean heldBy(NodeRef node, long heldEpoch) {
        return epoch == heldEpoch && node.equals(owner);
    }

    /**
     * The row after a claim.
     *
     * @param resumed false: {@code session} is a new one
     */
    public OwnerRow claimed(NodeRef by, String session, boolean resumed, long newFloor) {
        return new OwnerRow(
                streamId,
                epoch + 1,
                by,
                session,
                Phase.WAITING,
                resumableUntilMs,
                newFloor,
                (resumed ? initFloor : 0) + INIT_RESERVE,
                resumed ? resume : null,
                null);
    }

    /**
     * The owner's reserve. Never lowers the floor: writes of a heartbeat and of an urgent request
     * travel on two connections and may arrive in either order.
     */
    public OwnerRow floorRaised(long atLeast) {
        return with(owner, phase, resumableUntilMs, Math.max(floor, atLeast), wantedBy);
    }

    public OwnerRow publishing() {
        return with(owner, Phase.PUBLISHING, resumableUntilMs, floor, wantedBy);
    }

    public OwnerRow interrupted(long untilMs) {
        return with(owner, Phase.INTERRUPTED, untilMs, floor, wantedBy);
    }

    public OwnerRow resumable(ResumeRecord newest) {
        return new OwnerRow(
                streamId,
                epoch,
                owner,
                sessionId,
                phase,
                resumableUntilMs,
                floor,
                initFloor,
                newest,
                wantedBy);
    }

    public OwnerRow wanted(@Nullable String by) {
        return with(owner, phase, resumableUntilMs, floor, by);
    }

    /**
     * The owner gives up the stream; its session can go on at another node.
     *
     * @param newest highest number used: the others are given back
     */
    public OwnerRow released(long newest, long untilMs) {
        return with(null, Phase.INTERRUPTED, untilMs, newest, null);
    }

    /** The owner ended the session: no session, no owner. */
    public OwnerRow ended(long newest) {
        return new OwnerRow(
                streamId, epoch, null, null, Phase.FREE, 0, newest, initFloor, null, null);
    }

    /**
     * Another node ended the session of a dead owner. The epoch rises, else the dead owner's late
     * writes would change a session that has ended.
     */
    public OwnerRow endedForOwner(long newFloor) {
        return new OwnerRow(
                streamId, epoch + 1, null, null, Phase.FREE, 0, newFloor, initFloor, null, null);
    }

    /**
     * The owner's process is over and its node joins anew: the stream has no owner. The epoch
     * stays, since the next claim raises it.
     */
    public OwnerRow retired(long newFloor, long untilMs) {
        return sessionId == null
                ? ended(newFloor)
                : with(null, Phase.INTERRUPTED, untilMs, newFloor, null);
    }

    private OwnerRow with(
            @Nullable NodeRef nextOwner,
            Phase nextPhase,
            long untilMs,
            long nextFloor,
            @Nullable String nextWantedBy) {
        return new OwnerRow(
                streamId,
                epoch,
                nextOwner,
                sessionId,
                nextPhase,
                untilMs,
                nextFloor,
                initFloor,
                resume,
                nextWantedBy);
    }
}

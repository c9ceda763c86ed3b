package touchline.api.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A simulated game: eleven against eleven hold their formation, follow the ball, pass, lose
 * it and shoot. The same seed plays the same game. World coordinates as in {@link Ground}. One
 * thread.
 */
final class MatchPlay {
    private static final double MAX_SPEED = 7;
    private static final double DRIBBLE_SPEED = 4.2;
    private static final double ACCELERATION = 9;
    private static final double PASS_SPEED = 17;
    private static final double SHOT_DISTANCE = 22;
    private static final double MIDDLE_Z = Ground.PITCH_WIDTH / 2;

    // Depth from the own goal line and width, both 0 to 1: keeper, then 4-4-2.
    private static final double[][] FORMATION = {
        {0.04, 0.50},
        {0.22, 0.14},
        {0.18, 0.38},
        {0.18, 0.62},
        {0.22, 0.86},
        {0.46, 0.12},
        {0.42, 0.38},
        {0.42, 0.62},
        {0.46, 0.88},
        {0.66, 0.36},
        {0.68, 0.66},
    };

    private final SplittableRandom random;
    private final List<Mover> players = new ArrayList<>();
    private final Mover referee = new Mover(Kit.REFEREE, 0, -1, 0, 0);

    private double time;
    private Mover holder;
    private double holdUntil;
    private Flight flight;
    private boolean flying;
    private double ballX;
    private double ballZ = MIDDLE_Z;

    /** A player or the referee; only this class moves them. */
    static final class Mover {
        private final Kit kit;
        private final int number;
        private final int team;
        private final double homeDepth;
        private final double homeWidth;
        private double x;
        private double z;
        private double velocityX;
        private double velocityZ;
        private double stride;

        Mover(Kit kit, int number, int team, double homeDepth, double homeWidth) {
            this.number = number;
            this.kit = kit;
            this.team = team;
            this.homeDepth = homeDepth;
            this.homeWidth = homeWidth;
            this.x = (team == 0 ? -1 : 1) * (0.5 - homeDepth) * Ground.HALF_LENGTH;
            this.z = homeWidth * Ground.PITCH_WIDTH;
        }

        Kit kit() {
            return kit;
        }

        /** Unique in the team. */
        int number() {
            return number;
        }

        double x() {
            return x;
        }

        double z() {
            return z;
        }

        double velocityX() {
            return velocityX;
        }

        double speed() {
            return Math.hypot(velocityX, velocityZ);
        }

        /** Strides made since the start; the fraction is the pose. */
        double stride() {
            return stride;
        }

        private double distanceTo(double toX, double toZ) {
            return Math.hypot(toX - x, toZ - z);
        }
    }

    /** The ball on its way. */
    private record Flight(
            double fromX, double fromZ, double startedAt, double seconds, Mover receiver) {}

    MatchPlay(long seed) {
        this.random = new SplittableRandom(seed);
        for (int team = 0; team < 2; team++) {
            for (int i = 0; i < FORMATION.length; i++) {
                Kit keeper = team == 0 ? Kit.HOME_KEEPER : Kit.AWAY_KEEPER;
                Kit field = team == 0 ? Kit.HOME : Kit.AWAY;
                Kit kit = i == 0 ? keeper : field;
                players.add(new Mover(kit, i, team, FORMATION[i][0], FORMATION[i][1]));
            }
        }
        referee.z = MIDDLE_Z + 6;
        holder = players.get(9);
        holder.x = 0;
        holder.z = MIDDLE_Z;
        holdUntil = 1;
        flight = new Flight(0, MIDDLE_Z, 0, 0, holder);
    }

    void step(double seconds) {
        time += seconds;
        moveBall();
        Mover chaserOfTeam0 = nearest(0);
        Mover chaserOfTeam1 = nearest(1);
        for (Mover player : players) {
            boolean chases = player == chaserOfTeam0 || player == chaserOfTeam1;
            steer(player, chases, seconds);
        }
        steerTo(referee, ballX * 0.8 - 6, MIDDLE_Z + (ballZ - MIDDLE_Z) * 0.5 + 7, 5, seconds);
    }

    /** Since kick-off. */
    double seconds() {
        return time;
    }

    List<Mover> players() {
        return players;
    }

    Mover referee() {
        return referee;
    }

    double ballX() {
        return ballX;
    }

    double ballZ() {
        return ballZ;
    }

    /** Metres above the ground. */
    double ballHeight() {
        if (!flying) {
            return 0;
        }
        double done = (time - flight.startedAt) / flight.seconds;
        double top = Math.max(0, flight.seconds - 0.6) * 3.2;
        return 4 * top * done * (1 - done);
    }

    private void moveBall() {
        if (flying) {
            double done = Math.min(1, (time - flight.startedAt) / flight.seconds);
            ballX = flight.fromX + (flight.receiver.x - flight.fromX) * done;
            ballZ = flight.fromZ + (flight.receiver.z - flight.fromZ) * done;
            if (done >= 1) {
                flying = false;
                holder =
                        random.nextInt(100) < 18
                                ? nearest(1 - flight.receiver.team)
                                : flight.receiver;
                boolean keeps = holder.homeDepth < 0.1;
                holdUntil = time + (keeps ? 2.2 : 0.5 + random.nextDouble() * 1.6);
            }
            return;
        }
        double pull = 0.35;
        ballX += (holder.x + Math.signum(holder.velocityX) * 0.7 - ballX) * pull;
        ballZ += (holder.z - 0.25 - ballZ) * pull;
        if (time >= holdUntil) {
            kick();
        }
    }

    private void kick() {
        int direction = holder.team == 0 ? 1 : -1;
        double toGoal = Ground.HALF_LENGTH - direction * holder.x;
        Mover receiver =
                toGoal < SHOT_DISTANCE
                        ? players.get(holder.team == 0 ? FORMATION.length : 0)
                        : receiver(direction);
        double distance = receiver.distanceTo(ballX, ballZ);
        double speed = toGoal < SHOT_DISTANCE ? 26 : PASS_SPEED;
        flight = new Flight(ballX, ballZ, time, Math.max(0.35, distance / speed), receiver);
        flying = true;
    }

    /** A team mate in reach, rather in front than behind. */
    private Mover receiver(int direction) {
        Mover best = holder;
        double bestScore = Double.NEGATIVE_INFINITY;
        for (Mover mate : players) {
            double distance = mate.distanceTo(ballX, ballZ);
            if (mate.team != holder.team || mate == holder || mate.homeDepth < 0.1) {
                continue;
            }
            double forward = direction * (mate.x - holder.x);
            double score = forward * 0.35 - Math.abs(distance - 16) + random.nextDouble() * 22;
            if (score > bestScore) {
                bestScore = score;
                best = mate;
            }
        }
        return best;
    }

    private Mover nearest(int team) {
        Mover best = players.get(team * FORMATION.length + 1);
        for (Mover player : players) {
            boolean fieldPlayer = player.homeDepth > 0.1;
            if (player.team == team
                    && fieldPlayer
                    && player.distanceTo(ballX, ballZ) < best.distanceTo(ballX, ballZ)) {
                best = player;
            }
        }
        return best;
    }

    private void steer(Mover player, boolean chases, double seconds) {
        int direction = player.team == 0 ? 1 : -1;
        if (!flying && player == holder && player.homeDepth > 0.1) {
            double aimZ = MIDDLE_Z + (player.z - MIDDLE_Z) * 0.7;
            steerTo(player, player.x + direction * 8, aimZ, DRIBBLE_SPEED, seconds);
        } else if (flying && player == flight.receiver) {
            steerTo(player, player.x + direction * 1.5, player.z, 2.5, seconds);
        } else if (chases && !(flying && player.team == flight.receiver.team)) {
            double standOff = !flying && holder.team != player.team ? 1.3 : 0;
            steerTo(player, ballX - direction * -standOff, ballZ + 0.5, 6, seconds);
        } else {
            formation(player, direction, seconds);
        }
    }

    private void formation(Mover player, int direction, double seconds) {
        boolean keeper = player.homeDepth < 0.1;
        double follow = keeper ? 0.06 : 0.42;
        // Each player wanders a little, at a pace of his own.
        double phase = time * 0.35 + player.homeWidth * 17 + player.homeDepth * 31;
        double wander = keeper ? 0.6 : 2.6;
        double anchorX = -direction * (0.5 - player.homeDepth) * 2 * Ground.HALF_LENGTH;
        double x = anchorX * 0.8 + ballX * follow + wander * Math.sin(phase);
        double z =
                player.homeWidth * Ground.PITCH_WIDTH
                        + (ballZ - MIDDLE_Z) * (keeper ? 0.08 : 0.3)
                        + wander * Math.cos(phase * 0.83);
        double limit = Ground.HALF_LENGTH - 0.8;
        double aimX = Math.clamp(keeper ? anchorX + direction : x, -limit, limit);
        steerTo(player, aimX, Math.clamp(z, 1, Ground.PITCH_WIDTH - 1), MAX_SPEED * 0.8, seconds);
    }

    private static void steerTo(Mover mover, double x, double z, double speed, double seconds) {
        double distance = Math.max(1e-6, mover.distanceTo(x, z));
        double wanted = Math.min(speed, distance * 1.6);
        double change = ACCELERATION * seconds;
        mover.velocityX +=
                Math.clamp((x - mover.x) / distance * wanted - mover.velocityX, -change, change);
        mover.velocityZ +=
                Math.clamp((z - mover.z) / distance * wanted - mover.velocityZ, -change, change);
        mover.x += mover.velocityX * seconds;
        mover.z += mover.velocityZ * seconds;
        mover.stride += mover.speed() * seconds / 2.4;
    }
}
